// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lower part: the timeline with one track an SM, or, where an SM has several slots, the slots of the
// wave.
#include "visualizer/render/Colormap.h"
#include "visualizer/render/Marks.h"
#include "visualizer/render/SmParts.h"
#include "visualizer/render/Text.h"

#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {

/// Up to so many programs are painted track by track; more as an image.
constexpr int64_t MostTracks = 4096;

/// Tracks in groups, one for each row of SMs in the picture of the GPU.
struct Tracks {
  QRectF box;
  int columns;
  double group, gap, track;

  Tracks(const SmScene &scene, const SmLayout &layout) : box(layout.lower), columns(layout.gpuColumns) {
    int rows = (scene.sms() + columns - 1) / columns;
    group = box.height() / std::max(1, rows);
    gap = group >= 8 ? 2 : 0;
    track = (group - gap) / columns;
  }
  double top(int sm) const { return box.top() + group * (sm / columns) + track * (sm % columns); }
  int smAt(double y) const {
    auto row = static_cast<int>(std::floor((y - box.top()) / group));
    auto column = static_cast<int>(std::floor((y - box.top() - row * group) / track));
    return column < columns ? row * columns + column : -1;
  }
};

double waveLeft(const SmFrame &frame, double wave) {
  return frame.layout.lower.left() + frame.layout.lower.width() * wave / frame.scene.clock().duration();
}

void title(const SmFrame &frame) {
  const QRectF &box = frame.layout.lowerTitle;
  double baseline = box.bottom() - 5;
  QRectF name = frame.canvas.text({box.left(), baseline}, text(frame.scene.lowerTitle()),
                                  {Type::Body, Weight::Semibold, frame.theme().ink});
  QString subtitle = text(frame.scene.lowerSubtitle(frame.time));
  Type type = frame.layout.wide ? Type::Small : Type::Label;
  if (name.right() + 16 + frame.canvas.type().width(subtitle, type) <= box.right())
    frame.canvas.text({name.right() + 16, baseline}, subtitle, {type, Weight::Regular, frame.theme().text2});
}

void paintTrackRects(const SmFrame &frame, const Tracks &tracks) {
  const SmScene &scene = frame.scene;
  Canvas &canvas = frame.canvas;
  canvas.painter().setRenderHint(QPainter::Antialiasing, false);
  double gap = tracks.box.width() / scene.clock().duration() >= 12 ? 2 : 0;
  for (int64_t wave = 0; wave <= frame.wave(); ++wave)
    for (int64_t place = 0; place < scene.programsIn(wave); ++place) {
      double left = waveLeft(frame, static_cast<double>(wave)), top = tracks.top(static_cast<int>(place));
      double right = waveLeft(frame, static_cast<double>(wave + 1)) - gap;
      QColor color = viridis(scene.scalePosition(scene.firstProgram(wave) + place));
      bool now = wave == frame.wave();
      auto part = [&](double from, double to, const QColor &fill) {
        if (to > from)
          canvas.fill({from, top, to - from, tracks.track + 0.1}, fill);
      };
      double head = now ? std::min(waveLeft(frame, frame.time), right) : left;
      part(left, head, color);
      part(head, right, mixed(color, frame.theme().ground, now ? RunningTrackShare : OverTrackShare));
    }
  canvas.painter().setRenderHint(QPainter::Antialiasing, true);
}

/// All waves as columns of an image, `height` pixels high.
QImage trackImage(const SmFrame &frame, const Tracks &tracks, QSize size, double share) {
  const SmScene &scene = frame.scene;
  QImage image(size, QImage::Format_RGB32);
  image.fill(frame.theme().ground);
  for (int y = 0; y < size.height(); ++y) {
    int sm = tracks.smAt(tracks.box.top() + (y + 0.5) * tracks.box.height() / size.height());
    auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
    for (int x = 0; x < size.width(); ++x) {
      int64_t wave = static_cast<int64_t>((x + 0.5) * static_cast<double>(scene.waves()) / size.width());
      if (std::optional<int64_t> program = scene.programOn(wave, sm))
        line[x] = mixed(viridis(scene.scalePosition(*program)), frame.theme().ground, share).rgb();
    }
  }
  return image;
}

void paintTrackImages(const SmFrame &frame, const Tracks &tracks) {
  double scale = frame.canvas.pixels() ? frame.canvas.deviceScale() : 2;
  QSize size = (tracks.box.size() * scale).toSize().expandedTo({1, 1}).boundedTo({4096, 4096});
  std::vector<double> key{static_cast<double>(frame.scene.revision()), static_cast<double>(size.width()),
                          static_cast<double>(size.height()), static_cast<double>(frame.theme().kind)};
  const auto &[over, full] = frame.cache.tracks.get(std::move(key), [&] {
    return std::pair(trackImage(frame, tracks, size, OverTrackShare), trackImage(frame, tracks, size, 1));
  });
  auto part = [&](const QImage &image, double from, double to) {
    if (to - from < 0.25)
      return;
    double unit = size.width() / tracks.box.width();
    QRectF target(from, tracks.box.top(), to - from, tracks.box.height());
    frame.canvas.painter().drawImage(
        target, image, {(from - tracks.box.left()) * unit, 0, (to - from) * unit, double(size.height())});
  };
  double start = waveLeft(frame, static_cast<double>(frame.wave())), head = waveLeft(frame, frame.time);
  part(over, tracks.box.left(), start);
  part(full, start, head);
  part(over, head, waveLeft(frame, static_cast<double>(frame.wave() + 1)));
}

/// What has not begun: outlines, a group of tracks each; a quiet ground where they would be too fine.
void paintToCome(const SmFrame &frame, const Tracks &tracks) {
  double left = waveLeft(frame, static_cast<double>(frame.wave() + 1)),
         width = waveLeft(frame, 1) - tracks.box.left();
  if (left >= tracks.box.right() - 0.5)
    return;
  if (width < 12 || tracks.group < 8)
    return frame.canvas.fill({left, tracks.box.top(), tracks.box.right() - left, tracks.box.height()},
                             frame.theme().panel);
  for (int64_t wave = frame.wave() + 1; wave < frame.scene.waves(); ++wave)
    for (int64_t first = 0; first < frame.scene.programsIn(wave); first += tracks.columns) {
      int64_t count = std::min<int64_t>(tracks.columns, frame.scene.programsIn(wave) - first);
      QRectF box(waveLeft(frame, static_cast<double>(wave)), tracks.top(static_cast<int>(first)), width - 2,
                 tracks.track * static_cast<double>(count));
      outline(frame.canvas, box.toAlignedRect(), frame.theme().hair, 1);
    }
}

void paintIdleTracks(const SmFrame &frame, const Tracks &tracks) {
  int64_t last = frame.scene.waves() - 1, busy = frame.scene.programsIn(last);
  if (busy == frame.scene.sms() || frame.wave() != last)
    return;
  double top = tracks.top(static_cast<int>(busy)), left = waveLeft(frame, static_cast<double>(last));
  QRectF box(left, top, tracks.box.right() - left, tracks.box.bottom() - tracks.gap - top);
  hatch(frame.canvas, box);
  if (!frame.landed())
    return;
  outline(frame.canvas, box, frame.theme().ink, 2);
  plate(frame.canvas, box.adjusted(4, 2, -4, -2), countText("sm.idle-sms", frame.scene.sms() - busy), false);
}

void paintTrackLabels(const SmFrame &frame, const Tracks &tracks) {
  Style style{Type::Label, Weight::Regular, frame.theme().text3};
  int sms = frame.scene.sms();
  double right = tracks.box.left() - 16;
  auto label = [&](int sm, double baseline) {
    QString words = text("sm.sm", {grouped(sm)});
    if (frame.canvas.type().width(words, Type::Label) + 16 <= frame.layout.labelWidth)
      frame.canvas.text({right, baseline}, words, style, Align::Right);
  };
  label(0, tracks.box.top() + 10);
  if (sms > 2 * tracks.columns && tracks.group >= 18 && tracks.box.height() > 5 * tracks.group)
    label(tracks.columns, tracks.box.top() + tracks.group + 10);
  if (sms > 1 && tracks.box.height() >= 34)
    label(sms - 1, tracks.box.bottom() - 2);
}

/// Names of waves under what is drawn of them: the present one, then as many as stand apart.
void paintWaveNames(const SmFrame &frame, double baseline) {
  std::vector<std::pair<double, double>> taken;
  auto name = [&](int64_t wave) {
    bool now = wave == frame.wave();
    Weight weight = now ? Weight::Semibold : Weight::Regular;
    QString words = text("sm.wave", {grouped(wave + 1)});
    double width = frame.canvas.type().width(words, Type::Label, weight);
    double left = std::clamp(waveLeft(frame, static_cast<double>(wave)) + 2, frame.layout.lower.left(),
                             std::max(frame.layout.lower.left(), frame.layout.lower.right() - width));
    for (auto [from, to] : taken)
      if (left < to + 14 && left + width + 14 > from)
        return;
    taken.emplace_back(left, left + width);
    frame.canvas.text({left, baseline}, words,
                      {Type::Label, weight, now ? frame.theme().ink : frame.theme().text3});
  };
  int64_t waves = frame.scene.waves(), step = std::max<int64_t>(1, waves / 32);
  name(frame.wave());
  name(0);
  name(waves - 1);
  for (int64_t wave = step; wave < waves; wave += step)
    name(wave);
}

void paintTimeline(const SmFrame &frame) {
  Tracks tracks(frame.scene, frame.layout);
  bool each = frame.scene.programs() <= MostTracks;
  each ? paintTrackRects(frame, tracks) : paintTrackImages(frame, tracks);
  paintToCome(frame, tracks);
  paintIdleTracks(frame, tracks);
  paintTrackLabels(frame, tracks);
  paintWaveNames(frame, tracks.box.bottom() + 18);
  playhead(frame.canvas, waveLeft(frame, frame.time), tracks.box.top(), tracks.box.bottom());
}

/// The chart of slots: a column an SM, sorted by count.
struct SlotChart {
  QRectF box;
  double column, row;
  int capacity;

  SlotChart(const SmFrame &frame, const QRectF &box)
      : box(box), capacity(std::max(1, frame.scene.slotsPerSm())) {
    column = box.width() / std::max(1, frame.scene.sms());
    row = box.height() / capacity;
  }
  double x(int place) const { return box.left() + column * place; }
  double y(double count) const { return box.bottom() - row * count; }
};

int shownCount(const SmFrame &frame, int place) {
  double share = frame.state.reducedMotion ? 1 : WaveClock::travelled(frame.phase(), 0.5);
  return static_cast<int>(std::lround(share * frame.scene.countOn(frame.wave(), place)));
}

void paintFilledSlots(const SmFrame &frame, const SlotChart &chart) {
  QColor color = mixed(frame.theme().reg.fill, frame.theme().ground, RunningTrackShare);
  double gapX = chart.column >= 4 ? 1 : 0, gapY = chart.row >= 4 ? 1 : 0;
  frame.canvas.painter().setRenderHint(QPainter::Antialiasing, false);
  for (int place = 0; place < frame.scene.sms(); ++place) {
    double left = std::round(chart.x(place)), right = std::round(chart.x(place + 1)) - gapX;
    int count = shownCount(frame, place);
    if (gapY == 0) {
      frame.canvas.fill({left, chart.y(count), right - left, chart.row * count}, color);
      continue;
    }
    for (int slot = 0; slot < count; ++slot) {
      double top = std::round(chart.y(slot + 1)), bottom = std::round(chart.y(slot)) - gapY;
      frame.canvas.fill({left, top, right - left, bottom - top}, color);
    }
  }
  frame.canvas.painter().setRenderHint(QPainter::Antialiasing, true);
}

void paintEmptySlots(const SmFrame &frame, const SlotChart &chart) {
  int64_t empty = frame.scene.emptySlots(frame.wave());
  if (empty == 0 || !frame.landed())
    return;
  QPolygonF stairs{chart.box.topLeft(), chart.box.topRight()};
  int place = frame.scene.sms();
  std::vector<std::pair<int, int>> groups = frame.scene.countGroups(frame.wave());
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    stairs << QPointF(chart.x(place), chart.y(group->first));
    place -= group->second;
    stairs << QPointF(chart.x(place), chart.y(group->first));
  }
  hatch(frame.canvas, stairs, frame.theme().ground, frame.theme().hair2);
  outline(frame.canvas, stairs, frame.theme().ink, 2);
  // Words go where the room is: over all columns, or over those that hold the fewest.
  double all = chart.y(groups.front().first) - chart.box.top();
  double fewest = chart.y(groups.back().first) - chart.box.top();
  double left = chart.x(frame.scene.sms() - groups.back().second);
  QRectF wide(chart.box.left(), chart.box.top(), chart.box.width(), all);
  QRectF high(left, chart.box.top(), chart.box.right() - left, fewest);
  QString words = countText("sm.empty-slots", empty);
  if (plate(frame.canvas, wide.adjusted(2, 2, -2, -2), words, false).isEmpty())
    plate(frame.canvas, high.adjusted(2, 2, -2, -2), words, false);
}

void paintSlotLabels(const SmFrame &frame, const SlotChart &chart) {
  Style style{Type::Label, Weight::Regular, frame.theme().text3};
  int most = frame.scene.countOn(frame.wave(), 0);
  double last = chart.box.top() - 20;
  if (frame.layout.labelWidth >= 32)
    for (int slot : {chart.capacity, most, 1}) {
      double baseline = chart.y(slot) + std::max(12.0, std::min(chart.row, 16.0) * 0.5 + 5);
      if (baseline - last < 15 || (slot == most && most < 3))
        continue;
      last = baseline;
      frame.canvas.text({chart.box.left() - 16, std::min(baseline, chart.box.bottom())}, grouped(slot), style,
                        Align::Right);
    }
  std::vector<std::pair<int, int>> groups = frame.scene.countGroups(frame.wave());
  Style strong{Type::Label, Weight::Medium, frame.theme().ink};
  double baseline = chart.box.bottom() + 18;
  auto hold = [&](const std::pair<int, int> &group) {
    return countText("sm.hold", group.second, {countText("sm.programs", group.first)});
  };
  QRectF left = frame.canvas.text({chart.box.left(), baseline}, hold(groups.front()), strong);
  if (groups.size() < 2)
    return;
  QString right = hold(groups.back());
  if (left.right() + 24 + frame.canvas.type().width(right, Type::Label, Weight::Medium) <= chart.box.right())
    frame.canvas.text({chart.box.right(), baseline}, right, strong, Align::Right);
}

/// Waves of several slots an SM as one strip: as much of each is filled as its slots are.
void paintWaveStrip(const SmFrame &frame, const QRectF &box) {
  const SmScene &scene = frame.scene;
  const Theme &theme = frame.theme();
  QColor color = mixed(theme.reg.fill, theme.ground, RunningTrackShare);
  double width = box.width() / scene.clock().duration(), gap = width >= 8 ? 2 : 0;
  double start = waveLeft(frame, static_cast<double>(frame.wave())), head = waveLeft(frame, frame.time);
  if (gap == 0) {
    frame.canvas.fill(box, theme.empty);
    frame.canvas.fill({box.left(), box.top(), start - box.left(), box.height()},
                      mixed(color, theme.ground, OverTrackShare));
    frame.canvas.fill({start, box.top(), head - start, box.height()}, theme.reg.fill);
    return;
  }
  for (int64_t wave = 0; wave < scene.waves(); ++wave) {
    double share =
        static_cast<double>(scene.programsIn(wave)) / static_cast<double>(scene.schedule().slotCount);
    QRectF cell(waveLeft(frame, static_cast<double>(wave)), box.top(), width - gap, box.height());
    double level = std::max(1.0, cell.height() * share);
    QRectF filled(cell.left(), cell.bottom() - level, cell.width(), level);
    if (wave > frame.wave()) {
      outline(frame.canvas, filled, theme.hair2, 1);
      continue;
    }
    frame.canvas.fill(filled, wave == frame.wave() ? color : mixed(color, theme.ground, OverTrackShare));
    if (wave == frame.wave())
      frame.canvas.fill(
          {filled.left(), filled.top(), std::clamp(head - filled.left(), 0.0, filled.width()), level},
          theme.reg.fill);
  }
}

void paintSlots(const SmFrame &frame) {
  QRectF box = frame.layout.lower;
  bool strip = frame.scene.waves() > 1 && box.height() >= 120;
  SlotChart chart(frame, strip ? box.adjusted(0, 0, 0, -48) : box);
  paintFilledSlots(frame, chart);
  paintEmptySlots(frame, chart);
  paintSlotLabels(frame, chart);
  if (!strip)
    return;
  QRectF waves(box.left(), box.bottom() - 14, box.width(), 14);
  paintWaveStrip(frame, waves);
  paintWaveNames(frame, waves.bottom() + 18);
  playhead(frame.canvas, waveLeft(frame, frame.time), waves.top(), waves.bottom());
}

} // namespace

void paintLower(const SmFrame &frame) {
  if (frame.layout.lower.isEmpty())
    return;
  title(frame);
  frame.scene.oneSlot() ? paintTimeline(frame) : paintSlots(frame);
}

int64_t timelineProgram(const SmScene &scene, const SmLayout &layout, QPointF at) {
  if (!scene.oneSlot() || layout.lower.isEmpty() || !layout.lower.contains(at))
    return -1;
  int sm = Tracks(scene, layout).smAt(at.y());
  double share = (at.x() - layout.lower.left()) / layout.lower.width();
  auto wave = static_cast<int64_t>(share * static_cast<double>(scene.waves()));
  return scene.programOn(wave, sm).value_or(-1);
}

} // namespace tilescope::viz
