// SPDX-License-Identifier: GPL-3.0-or-later
//
// tilescope: the window. Reads the command line and puts things in motion; everything else is in core/,
// editor/ and panels/.
#include "app/core/CommandLine.h"
#include "app/core/MainWindow.h"
#include "app/core/Picture.h"
#include "app/core/Words.h"

#include "visualizer/render/Theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>

using namespace tilescope::app;

int main(int argc, char **argv) {
  QElapsedTimer sinceStart;
  sinceStart.start();
  Q_INIT_RESOURCE(words);
  Q_INIT_RESOURCE(window);
  CommandLine::prepare(argc, argv);
  QApplication application(argc, argv);
  QApplication::setApplicationName("tilescope");
  QApplication::setOrganizationName("tilescope");
  QApplication::setApplicationVersion(TILESCOPE_VERSION);
  QApplication::setStyle("Fusion");

  CommandLine options = CommandLine::parse(application.arguments());
  setLanguage(options.language.isEmpty() ? QSettings().value("language", systemLanguage()).toString()
                                         : options.language);
  if (options.exitCode)
    return options.report();
  application.setFont(tilescope::viz::Theme::light().font(tilescope::viz::Type::Small));
  if (!options.render.isEmpty())
    return renderPicture(options);

  bool automated = !options.screenshot.isEmpty() || options.startupTime;
  MainWindow window(options.tilec, options.theme);
  window.show();
  window.openFiles(options.files);
  if (automated)
    automate(window, options, sinceStart);
  else
    window.offerRecovery();
  return QApplication::exec();
}
