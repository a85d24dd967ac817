// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/CommandLine.h"

#include "app/panels/ViewFeed.h"
#include "visualizer/render/Text.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>

#include <cstdio>
#include <cstring>

namespace tilescope::app {
namespace {

QString findTilec() {
  QString named = qEnvironmentVariable("TILESCOPE_TILEC");
  return named.isEmpty() ? QCoreApplication::applicationDirPath() + "/tilec" : named;
}

bool parseSize(const QString &text, QSize &size) {
  QStringList parts = text.split('x');
  if (parts.size() != 2)
    return false;
  size = {parts[0].toInt(), parts[1].toInt()};
  return size.width() >= 200 && size.height() >= 150 && size.width() <= 16384 && size.height() <= 16384;
}

} // namespace

void CommandLine::prepare(int argc, char **argv) {
  bool picture = false;
  for (int i = 1; i < argc; ++i)
    picture |= std::strcmp(argv[i], "--render") == 0 || std::strncmp(argv[i], "--render=", 9) == 0;
  if (picture && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
}

CommandLine CommandLine::parse(const QStringList &arguments) {
  CommandLine options;
  options.tilec = findTilec();
  QCommandLineParser parser;
  parser.addOptions({{{"h", "help"}, {}},
                     {{"v", "version"}, {}},
                     {"lang", {}, "code"},
                     {"theme", {}, "name"},
                     {"render", {}, "file"},
                     {"view", {}, "name"},
                     {"launch", {}, "index"},
                     {"access", {}, "index"},
                     {"program", {}, "number"},
                     {"at", {}, "share"},
                     {"gpu", {}, "name"},
                     {"size", {}, "WxH"},
                     {"o", {}, "file"},
                     {"screenshot", {}, "file"},
                     {"after-run", {}},
                     {"startup-time", {}}});
  auto fail = [&](const QString &key, const QStringList &values = {}) {
    options.exitCode = 2;
    options.message = key;
    options.messageArguments = values;
    return options;
  };
  if (!parser.parse(arguments))
    return parser.unknownOptionNames().isEmpty()
               ? fail("command.no-value")
               : fail("command.unknown", parser.unknownOptionNames().mid(0, 1));
  options.language = parser.value("lang");
  options.theme = parser.value("theme");
  options.files = parser.positionalArguments();
  options.render = parser.value("render");
  options.output = parser.value("o");
  options.screenshot = parser.value("screenshot");
  options.afterRun = parser.isSet("after-run");
  options.startupTime = parser.isSet("startup-time");
  if (parser.isSet("view"))
    options.view = parser.value("view");
  if (parser.isSet("gpu"))
    options.gpu = parser.value("gpu");
  options.launch = parser.value("launch").toInt();
  options.access = parser.value("access").toInt();
  if (parser.isSet("program"))
    options.program = parser.value("program").toLongLong();
  if (parser.isSet("at"))
    options.at = parser.value("at").toDouble();

  if (parser.isSet("help") || parser.isSet("version")) {
    options.exitCode = 0;
    options.message = parser.isSet("help") ? "command.help" : "command.version";
    options.messageArguments << QCoreApplication::applicationVersion();
  } else if (!options.language.isEmpty() && !QStringList{"en", "fr", "zh"}.contains(options.language)) {
    return fail("command.bad-language", {options.language});
  } else if (!options.theme.isEmpty() && !QStringList{"light", "dark", "system", "projector"}.contains(options.theme)) {
    return fail("command.bad-theme", {options.theme});
  } else if (parser.isSet("size") && !parseSize(parser.value("size"), options.size)) {
    return fail("command.bad-size", {parser.value("size")});
  } else if (!viewIds().contains(options.view)) {
    return fail("command.bad-view", {options.view, viewIds().join(", ")});
  } else if (!options.render.isEmpty() && options.output.isEmpty()) {
    return fail("command.no-output");
  }
  return options;
}

int CommandLine::report() const {
  QString words = viz::text(message, messageArguments);
  std::fprintf(*exitCode == 0 ? stdout : stderr, "%s\n", words.toUtf8().constData());
  return *exitCode;
}

} // namespace tilescope::app
