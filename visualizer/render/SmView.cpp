// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/SmView.h"

#include "visualizer/render/Marks.h"
#include "visualizer/render/SmParts.h"
#include "visualizer/render/Text.h"

#include <QPainter>

namespace tilescope::viz {

namespace {

QString contextText(const SmFrame &frame) {
  return frame.state.stale ? text("sm.stale") : text(frame.scene.context());
}

void paintWideHeader(const SmFrame &frame) {
  Canvas &canvas = frame.canvas;
  const Theme &theme = frame.theme();
  const QRectF &strip = frame.layout.header;
  canvas.fill(strip, theme.chrome);
  canvas.fill({strip.left(), strip.bottom(), strip.width(), 1}, theme.hair);
  QRectF title = canvas.text({60, 36}, text("sm.title"), {Type::Title, Weight::Semibold, theme.ink});
  QRectF mark = badge(canvas, {strip.right() - 60, 17}, Evidence::Modelled,
                      QString::fromStdString(frame.scene.schedule().gpu));
  double left = title.right() + 20, width = mark.left() - 24 - left;
  for (Type type : {Type::Body, Type::Label})
    if (canvas.type().richWidth(contextText(frame), type) <= width) {
      canvas.paragraph({left, 36 - canvas.type().lineHeight(type) + 5}, width, contextText(frame),
                       {type, Weight::Regular, theme.text2}, theme.ink);
      return;
    }
}

void paintColumnHeader(const SmFrame &frame) {
  Canvas &canvas = frame.canvas;
  const SmLayout &layout = frame.layout;
  const Theme &theme = frame.theme();
  Type type = layout.small ? Type::Body : Type::Part;
  QRectF title = canvas.text({layout.header.left(), layout.header.bottom() - 5}, text("sm.title"),
                             {type, Weight::Semibold, theme.ink});
  QString gpu = QString::fromStdString(frame.scene.schedule().gpu);
  if (title.right() + 16 + badgeWidth(canvas.type(), Evidence::Modelled, gpu) <= layout.header.right())
    badge(canvas, {layout.header.right(), layout.header.top()}, Evidence::Modelled, gpu);
  if (!layout.context.isEmpty())
    canvas.paragraph(layout.context.topLeft(), layout.context.width(), contextText(frame),
                     {layout.small ? Type::Label : Type::Small, Weight::Regular, theme.text2}, theme.ink);
}

} // namespace

void paintHeader(const SmFrame &frame) {
  frame.layout.wide ? paintWideHeader(frame) : paintColumnHeader(frame);
}

SmView::SmView(const Theme &theme) : m_cache(std::make_unique<SmCache>()) { setTheme(theme); }
SmView::~SmView() = default;

void SmView::setTheme(const Theme &theme) {
  m_theme = theme;
  m_type = std::make_unique<Typesetter>(m_theme);
  *m_cache = {};
}

const SmLayout &SmView::layout(const QSizeF &size, const SmScene &scene) {
  std::vector<double> key{static_cast<double>(scene.revision()), size.width(), size.height(),
                          static_cast<double>(qHash(language()))};
  return m_cache->layout.get(std::move(key), [&] { return layOut(size, scene, *m_type); });
}

void SmView::paint(QPainter &painter, const QSizeF &size, const SmScene &scene, double time,
                   const SmState &state, std::vector<PlacedText> *log) {
  Canvas canvas(painter, *m_type, log);
  canvas.fill(QRectF({0, 0}, size), m_theme.ground);
  if (scene.empty() || !scene.waves())
    return;
  SmFrame frame{canvas, scene, layout(size, scene), time, state, *m_cache};
  paintUnderTravel(frame);
  paintHeader(frame);
  frame.layout.wide ? paintWavesColumn(frame) : paintFigures(frame);
  paintTensor(frame);
  paintMagnifier(frame);
  paintGpu(frame);
  paintTravel(frame);
  paintLower(frame);
  narration(canvas, frame.layout.narration, text(scene.narration(time)), narrationType(frame.layout));
}

int64_t SmView::programAt(const QSizeF &size, const SmScene &scene, double time, QPointF at,
                          const SmState &state) {
  if (scene.empty() || !scene.waves())
    return -1;
  const SmLayout &parts = layout(size, scene);
  if (parts.tensor.contains(at) && scene.tiling() != Tiling::None) {
    QPointF inside = at - parts.tensor.topLeft();
    return scene.tiles().programAt(
        inside.y() / parts.tensor.height() * static_cast<double>(scene.tiles().shownRows()),
        inside.x() / parts.tensor.width() * static_cast<double>(scene.tiles().shownColumns()));
  }
  if (parts.gpu.contains(at) && scene.oneSlot()) {
    auto column = static_cast<int>((at.x() - parts.gpu.left()) / parts.pitch.width());
    auto row = static_cast<int>((at.y() - parts.gpu.top()) / parts.pitch.height());
    return scene.programOn(scene.clock().waveAt(time), row * parts.gpuColumns + column).value_or(-1);
  }
  if (parts.magnifier.contains(at))
    return magnifiedProgram(scene, parts, time, state.selected,
                            static_cast<int>((at.y() - parts.magnifier.top()) / MagnifiedPitch));
  return timelineProgram(scene, parts, at);
}

int64_t SmView::followed(const QSizeF &size, const SmScene &scene, double time, const SmState &state) {
  return followedProgram(scene, layout(size, scene), time, state.selected);
}

void paintSmView(QPainter &painter, const QSizeF &size, const SmScene &scene, double time, const Theme &theme,
                 const SmState &state) {
  SmView(theme).paint(painter, size, scene, time, state);
}

QImage renderSmView(const SmScene &scene, double time, QSize size, const Theme &theme, double deviceScale) {
  QImage image(size * deviceScale, QImage::Format_RGB32);
  image.setDevicePixelRatio(deviceScale);
  QPainter painter(&image);
  paintSmView(painter, size, scene, time, theme);
  return image;
}

} // namespace tilescope::viz
