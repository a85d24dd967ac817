// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paints the views into PNG files, to be looked at: viz-pictures FOLDER [SCENE [TIME [WIDTHxHEIGHT [LANGUAGE
// [light|dark|projector]]]]].
#include "tests/visualizer/Accesses.h"
#include "tests/visualizer/Scenes.h"
#include "visualizer/render/CoalescingView.h"
#include "visualizer/render/SmView.h"
#include "visualizer/render/Text.h"

#include <QGuiApplication>
#include <cstdio>

using namespace tilescope::viz;

int main(int argc, char **argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  Q_INIT_RESOURCE(words);
  QGuiApplication application(argc, argv);
  QStringList arguments = QCoreApplication::arguments();
  auto argument = [&](int index, const char *otherwise) { return arguments.value(index, otherwise); };
  QString scene = argument(2, "all"), theme = argument(6, "light");
  QStringList size = argument(4, "1920x1020").split('x');
  setLanguage(argument(5, "en"));
  QSize pixels(size.value(0).toInt(), size.value(1).toInt());
  Theme colors = theme == "dark" ? Theme::dark() : theme == "projector" ? Theme::projector() : Theme::light();
  bool given = arguments.size() > 3 && argument(3, "") != "end";
  auto write = [&](const char *name, const QImage &image) {
    QString path = QString("%1/%2-%3-%4-%5.png").arg(argument(1, "."), name, argument(4, "1920x1020"), language(), theme);
    std::printf("%s %s\n", image.save(path) ? "wrote" : "could not write", qPrintable(path));
  };
  for (const scenes::Case &each : scenes::all()) {
    if (scene != "all" && scene != each.name)
      continue;
    SmScene made = each.make();
    write(each.name, renderSmView(made, given ? argument(3, "0").toDouble() : made.clock().duration(), pixels, colors));
  }
  for (const std::string &name : accesses::all()) {
    if (scene != "all" && scene != ("access-" + name).c_str())
      continue;
    double time = given ? argument(3, "0").toDouble() : RequestClock::judged(0);
    write(("access-" + name).c_str(), renderCoalescing(accesses::scene(name), time, pixels, colors));
  }
}
