// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of the request, what they come from in sentences, and all requests of the tile as a chart.
#include "visualizer/render/CoalescingParts.h"

#include "visualizer/render/Colormap.h"
#include "visualizer/render/Marks.h"
#include "visualizer/render/Text.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {

/// The request as far as its lanes have taken their bytes: the figures run with it.
WarpRequest soFar(const CoalescingFrame &frame) {
  WarpRequest request = frame.request();
  uint32_t on = 0;
  for (int lane = 0; lane < WarpLanes; ++lane)
    on |= uint32_t{frame.taken(lane) > 0} << lane;
  if ((request.on & ~on) == 0 || !request.known)
    return request;
  request.on &= on;
  request.findSectors(nullptr, nullptr);
  return request;
}

void paintFigureRow(const CoalescingFrame &frame, const WarpRequest &request) {
  const CoalescingLayout &layout = frame.layout;
  if (layout.figures.isEmpty())
    return;
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  auto figures = coalescingFigures(request.bytesUsed, static_cast<int64_t>(request.sectors.size()), request.ideal());
  Type big = layout.bigFigure ? Type::BigFigure : Type::Figure;
  FigureRow row;
  row.labelBaseline = layout.figures.top() + canvas.type().lineHeight(Type::Label) - 4;
  row.baseline = layout.figures.top() + canvas.type().lineHeight(Type::Label) + 4 + std::round(theme.size(big) * 0.86);
  figure(canvas, layout.figures.left(), row, figures[0].first, figures[0].second, big, Weight::Bold);
  std::vector<double> widths;
  double all = 0;
  for (size_t i = 1; i < figures.size(); ++i) {
    widths.push_back(std::max(canvas.type().width(figures[i].first, Type::Label),
                              canvas.type().width("999", Type::Figure, Weight::Semibold)));
    all += widths.back();
  }
  double first = std::max(canvas.type().width(figures[0].first, Type::Label),
                          canvas.type().width(percent(0.125, 1), big, Weight::Bold)) +
                 24;
  double x = layout.figures.left() + first, gap = 24;
  if (layout.figuresInTwo) { // under the big one
    x = layout.figures.left();
    row.labelBaseline = row.baseline + 14 + canvas.type().lineHeight(Type::Label);
    row.baseline = layout.figures.bottom() - 2;
    first = 0;
  }
  gap = std::max(8.0, (layout.figures.width() - first - all) / 2);
  for (size_t i = 1; i < figures.size() && x + widths[i - 1] <= layout.figures.right() + 1; ++i) {
    bool strong = i == 1;
    canvas.text({x, row.labelBaseline}, figures[i].first, {Type::Label, Weight::Regular, theme.text2});
    canvas.text({x, row.baseline}, figures[i].second,
                {Type::Figure, strong ? Weight::Semibold : Weight::Regular, strong ? theme.ink : theme.text2});
    x += widths[i - 1] + gap;
  }
}

/// One used byte is as long as in every other request; the room is for eight times as many requested.
void paintBar(const CoalescingFrame &frame, const WarpRequest &request) {
  const QRectF &box = frame.layout.bar;
  if (box.isEmpty() || request.bytesUsed == 0)
    return;
  const Theme &theme = frame.theme();
  double judged = RequestClock::judgedAt(frame.phase());
  const WarpRequest &whole = frame.request();
  double ratio = static_cast<double>(whole.bytesRequested()) / static_cast<double>(whole.bytesUsed);
  double unit = box.width() / std::max(8.0, ratio) / static_cast<double>(whole.bytesUsed);
  QRectF part(box.left(), box.top(), std::round(unit * static_cast<double>(request.bytesUsed)), box.height());
  frame.canvas.fill(part, theme.hbm.fill);
  auto next = [&](int64_t bytes) {
    double width = unit * static_cast<double>(bytes) * judged;
    part = QRectF(part.right(), part.top(), width, part.height());
    return width >= 1;
  };
  if (next(whole.bytesOfNeighbours())) {
    frame.canvas.fill(part, theme.hbm.tint);
    outline(frame.canvas, part, theme.hbm.fill, theme.stroke);
  }
  if (next(whole.bytesOfNobody())) {
    hatch(frame.canvas, QPolygonF(part), theme.ground, theme.hbm.fill);
    outline(frame.canvas, part, theme.hbm.fill, theme.stroke);
  }
}

void paintWords(const CoalescingFrame &frame) {
  const CoalescingLayout &layout = frame.layout;
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  const WarpRequest &request = frame.request();
  if (!layout.barWords.isEmpty())
    canvas.paragraph(layout.barWords.topLeft(), layout.barWords.width(), coalescingBarWords(request),
                     {Type::Label, Weight::Regular, theme.text2});
  if (!layout.launch.isEmpty())
    canvas.paragraph(layout.launch.topLeft(), layout.launch.width(), text(frame.scene.launchLine()),
                     {Type::Label, Weight::Regular, theme.text2}, theme.ink);
  if (layout.words.isEmpty())
    return;
  QPointF top = layout.words.topLeft();
  for (const QString &sentence : coalescingWords(frame.scene, frame.order(), layout.onlyWhy))
    top.ry() += canvas.paragraph(top, layout.words.width(), sentence,
                                 {layout.wordsType(), Weight::Regular, theme.text2}, theme.ink) +
                6;
}

struct Chart {
  QRectF box;
  int64_t requests, most;
  double column;

  Chart(const CoalescingScene &scene, const CoalescingLayout &layout)
      : box(layout.requests), requests(std::max<int64_t>(1, scene.clock().requests())), most(1) {
    column = std::min(24.0, box.width() / static_cast<double>(requests));
    for (const WarpRequest &request : scene.requests())
      most = std::max({most, static_cast<int64_t>(request.sectors.size()), request.ideal()});
  }
  double x(int64_t order) const { return box.left() + column * static_cast<double>(order); }
  double y(int64_t sectors) const {
    return box.bottom() - box.height() * static_cast<double>(sectors) / static_cast<double>(most);
  }
};

void paintColumns(const CoalescingFrame &frame, const Chart &chart) {
  const Theme &theme = frame.theme();
  double gap = chart.column >= 6 ? 2 : chart.column >= 3 ? 1 : 0, drawn = -1e9;
  for (int64_t order = 0; order < chart.requests; ++order) {
    const WarpRequest &request = frame.scene.request(order);
    double left = std::round(chart.x(order)), right = std::round(chart.x(order + 1)) - gap;
    bool now = order == frame.order();
    if (!request.known || (right - left < 1 && left == drawn && !now))
      continue;
    drawn = left;
    QRectF bar(left, std::round(chart.y(static_cast<int64_t>(request.sectors.size()))), std::max(1.0, right - left), 0);
    bar.setBottom(chart.box.bottom());
    if (order > frame.order() && chart.column >= 4)
      outline(frame.canvas, bar, theme.hair2, 1);
    else
      frame.canvas.fill(bar, now                     ? theme.hbm.fill
                             : order < frame.order() ? mixed(theme.hbm.fill, theme.ground, RequestOverShare)
                                                     : theme.hair);
    frame.canvas.fill({bar.left(), std::round(chart.y(request.ideal())) - 1, bar.width(), 2}, theme.ink);
  }
}

void paintSums(const CoalescingFrame &frame) {
  const Theme &theme = frame.theme();
  Canvas &canvas = frame.canvas;
  bool counted = frame.phase() >= RequestClock::Taken;
  const RequestSums &sums = frame.scene.sums(frame.order() + counted);
  std::vector<std::pair<QString, int64_t>> figures{{text("coalescing.sum.sofar"), sums.sectors},
                                                   {text("coalescing.sum.ideal"), sums.ideal},
                                                   {text("coalescing.sum.distinct"), sums.distinct}};
  const QRectF &box = frame.layout.sums;
  double labels = box.top() + canvas.type().lineHeight(Type::Label) - 4, x = box.left();
  for (size_t i = 0; i < figures.size(); ++i) {
    double width = std::max(canvas.type().width(figures[i].first, Type::Label),
                            canvas.type().width(grouped(figures[i].second), Type::Figure, Weight::Semibold));
    if (x + width > box.right())
      break;
    canvas.text({x, labels}, figures[i].first, {Type::Label, Weight::Regular, theme.text2});
    canvas.text({x, box.bottom() - 2}, grouped(figures[i].second),
                {Type::Figure, i ? Weight::Regular : Weight::Semibold, i ? theme.text2 : theme.ink});
    x += width + 28;
  }
}

} // namespace

int64_t chartRequest(const CoalescingScene &scene, const CoalescingLayout &layout, QPointF at) {
  if (layout.requests.isEmpty() || !layout.requests.adjusted(0, -16, 0, 4).contains(at))
    return -1;
  Chart chart(scene, layout);
  auto order = static_cast<int64_t>((at.x() - chart.box.left()) / chart.column);
  return order < scene.clock().requests() ? order : -1;
}

void paintRequestFigures(const CoalescingFrame &frame) {
  if (!frame.request().known)
    return;
  WarpRequest request = soFar(frame);
  paintFigureRow(frame, request);
  paintBar(frame, request);
  paintWords(frame);
}

void paintRequestChart(const CoalescingFrame &frame) {
  const CoalescingLayout &layout = frame.layout;
  if (layout.requests.isEmpty())
    return;
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  double title = canvas.type().lineHeight(Type::Body);
  canvas.text({layout.requestsTitle.left(), layout.requestsTitle.top() + title - 6}, text("coalescing.requests-title"),
              {Type::Body, Weight::Semibold, theme.ink});
  canvas.paragraph({layout.requestsTitle.left(), layout.requestsTitle.top() + title}, layout.requestsTitle.width(),
                   text("coalescing.requests-subtitle"), {Type::Label, Weight::Regular, theme.text2});
  Chart chart(frame.scene, layout);
  canvas.painter().setRenderHint(QPainter::Antialiasing, false);
  paintColumns(frame, chart);
  canvas.painter().setRenderHint(QPainter::Antialiasing, true);
  canvas.fill({chart.box.left(), chart.box.bottom(), chart.box.width(), 1}, theme.hair2);
  if (frame.request().known) {
    auto sectors = static_cast<int64_t>(frame.request().sectors.size());
    QString number = grouped(sectors);
    double width = canvas.type().width(number, Type::Label, Weight::Semibold);
    double x =
        std::clamp(chart.x(frame.order()) + chart.column / 2 - width / 2, chart.box.left(), chart.box.right() - width);
    canvas.text({x, chart.y(sectors) - 5}, number, {Type::Label, Weight::Semibold, theme.ink});
  }
  paintSums(frame);
}

void paintLegend(const CoalescingFrame &frame) {
  const QRectF &box = frame.layout.legend;
  if (box.isEmpty())
    return;
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  double x = box.left(), baseline = box.center().y() + canvas.type().capHeight(Type::Label) / 2;
  auto entry = [&](const char *key, auto paint) {
    QRectF swatch(x, std::round(box.center().y()) - 6, 22, 12);
    paint(swatch);
    QRectF words = canvas.text({swatch.right() + 8, baseline}, text(key), {Type::Label, Weight::Regular, theme.text2});
    x = words.right() + 24;
  };
  entry("coalescing.bar.used", [&](const QRectF &swatch) { canvas.fill(swatch, theme.hbm.fill); });
  entry("coalescing.bar.neighbour", [&](const QRectF &swatch) {
    canvas.fill(swatch, theme.hbm.tint);
    outline(canvas, swatch, theme.hbm.fill, 1);
  });
  entry("coalescing.bar.nobody", [&](const QRectF &swatch) {
    hatch(canvas, QPolygonF(swatch), theme.ground, theme.hbm.fill);
    outline(canvas, swatch, theme.hbm.fill, 1);
  });
}

} // namespace tilescope::viz
