// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/Colormap.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilescope::viz {

namespace {

/// 33 stops at equal distances; between them the scales are straight to within one step of 255.
using Stops = std::array<QRgb, 33>;

constexpr Stops Viridis{0x440154, 0x470D60, 0x48186A, 0x482374, 0x472D7B, 0x453681, 0x424086,
                        0x3F4989, 0x3B528B, 0x375A8D, 0x33638D, 0x2F6A8E, 0x2C728E, 0x297A8E,
                        0x26818E, 0x23898E, 0x21908C, 0x1F988B, 0x1F9F88, 0x21A685, 0x28AE80,
                        0x31B57B, 0x3EBC74, 0x4CC26C, 0x5DC963, 0x6ECE58, 0x82D34C, 0x96D83F,
                        0xABDC32, 0xC0DF24, 0xD5E21A, 0xEAE51A, 0xFDE725};
constexpr Stops Cividis{0x00224E, 0x00285B, 0x002E6A, 0x043371, 0x1A386F, 0x273E6E, 0x32436D,
                        0x3B496C, 0x434E6C, 0x4B546C, 0x52596D, 0x5A5F6E, 0x61656F, 0x686A71,
                        0x6F7073, 0x757676, 0x7C7B78, 0x848179, 0x8B8778, 0x938D78, 0x9B9376,
                        0xA39A75, 0xABA072, 0xB3A670, 0xBBAD6C, 0xC3B469, 0xCCBA64, 0xD4C15F,
                        0xDDC958, 0xE6D051, 0xEFD748, 0xF8DF3C, 0xFEE838};

QColor scale(const Stops &stops, double position) {
  double at = std::clamp(position, 0.0, 1.0) * (stops.size() - 1);
  size_t below = std::min(static_cast<size_t>(at), stops.size() - 2);
  return mixed(QColor(stops[below + 1]), QColor(stops[below]), at - static_cast<double>(below));
}

double linear(int channel) {
  double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color) {
  return 0.2126 * linear(color.red()) + 0.7152 * linear(color.green()) + 0.0722 * linear(color.blue());
}

} // namespace

QColor viridis(double position) { return scale(Viridis, position); }
QColor cividis(double position) { return scale(Cividis, position); }

QColor mixed(const QColor &color, const QColor &ground, double share) {
  auto channel = [&](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
  return {channel(color.red(), ground.red()), channel(color.green(), ground.green()),
          channel(color.blue(), ground.blue())};
}

QColor inkOn(const QColor &fill) {
  QColor dark("#1B1E23");
  return contrast(fill, dark) >= contrast(fill, Qt::white) ? dark : QColor(Qt::white);
}

double contrast(const QColor &a, const QColor &b) {
  double first = luminance(a) + 0.05, second = luminance(b) + 0.05;
  return std::max(first, second) / std::min(first, second);
}

} // namespace tilescope::viz
