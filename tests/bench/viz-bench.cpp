// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much processor time a frame of a view takes at 1920x1080: median and worst of frames all through the launch, the
// first frame (which makes what is kept) apart.
#include "tests/visualizer/Accesses.h"
#include "tests/visualizer/Scenes.h"
#include "visualizer/render/CoalescingView.h"
#include "visualizer/render/SmView.h"
#include "visualizer/render/Text.h"

#include <QGuiApplication>
#include <QPainter>
#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace tilescope::viz;

namespace {

/// `View` paints `Scene`, which has a clock.
template <typename View, typename Scene>
void measureView(const char *name, const Scene &scene, QSize size, double scale) {
  QImage image(size * scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  View view;
  std::vector<double> frames;
  for (int i = 0; i < 200; ++i) {
    std::clock_t begin = std::clock();
    QPainter painter(&image);
    view.paint(painter, size, scene, scene.clock().duration() * i / 199);
    painter.end();
    frames.push_back(static_cast<double>(std::clock() - begin) * 1e3 / CLOCKS_PER_SEC);
  }
  double first = frames.front();
  std::sort(frames.begin() + 1, frames.end());
  std::printf("%-28s %4dx%-4d x%.1f  first %6.1f ms  median %5.2f ms  worst %5.2f ms\n", name, size.width(),
              size.height(), scale, first, frames[100], frames.back());
}

void measure(const char *name, const SmScene &scene, QSize size, double scale) {
  measureView<SmView>(name, scene, size, scale);
}

/// A recorded access, of which only the recorded requests are played.
CoalescingScene known(const char *name) {
  accesses::Recorded recorded = accesses::recorded(name);
  recorded.detail.on.values.resize(recorded.detail.addresses.values.size() / 64);
  return {recorded.launch, recorded.detail};
}

} // namespace

int main(int argc, char **argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  Q_INIT_RESOURCE(words);
  QGuiApplication application(argc, argv);
  for (QSize size : {QSize(1920, 1020), QSize(888, 740)})
    for (const scenes::Case &each : scenes::all())
      measure(each.name, each.make(), size, 1);
  std::clock_t begin = std::clock();
  SmScene million = scenes::million(true), packed = scenes::million(false);
  million.tiles().rowEdges();
  std::printf("a million tiles read, twice, and cut into cells once: %lld ms\n",
              static_cast<long long>((std::clock() - begin) * 1000 / CLOCKS_PER_SEC));
  measure("million, one slot", million, {1920, 1020}, 1);
  measure("million, 16 slots", packed, {1920, 1020}, 1);
  measure("softmax", scenes::softmax(), {1920, 1020}, 1.5);
  for (const std::string &name : accesses::all())
    measureView<CoalescingView>(("access " + name).c_str(), known(name.c_str()), {1920, 1080}, 1);
}
