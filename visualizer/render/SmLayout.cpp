// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/SmLayout.h"

#include "visualizer/render/Marks.h"
#include "visualizer/render/Text.h"

#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {

constexpr double WideFrom = 1280, WideHeight = 720;
/// Less than this, and a part says nothing.
constexpr double LeastPicture = 130, LeastLower = 64;
/// Between the lower title and what is under it: room for the playhead's flag.
constexpr double LowerGap = 12;
/// A tensor that is narrower or wider is not drawn in its proportions.
constexpr double LeastAspect = 0.2, MostAspect = 4;
/// The proportions of an SM's cell in the mock-ups.
constexpr double CellAspect = 59.0 / 41;

class Layouter {
public:
  Layouter(const QSizeF &size, const SmScene &scene, const Typesetter &type)
      : m_size(size), m_scene(scene), m_type(type) {}

  SmLayout run() {
    m_layout.canvas = QRectF({0, 0}, m_size);
    m_layout.wide = m_size.width() >= WideFrom && m_size.height() >= WideHeight;
    m_layout.small = !m_layout.wide && (m_size.width() < 640 || m_size.height() < 560);
    m_layout.wide ? wide() : column();
    return m_layout;
  }

private:
  /// The widest label that hangs at the left of the tensor or the timeline, with its distance.
  double hangingLabels() const {
    const TileMap &tiles = m_scene.tiles();
    double widest = 0;
    auto see = [&](const QString &label) { widest = std::max(widest, m_type.width(label, Type::Label)); };
    if (m_scene.tiling() == Tiling::RowEach)
      see(text("sm.row", {grouped(tiles.rows() - 1)}));
    see(text("sm.wave", {grouped(m_scene.waves())}));
    see(text("sm.sm", {grouped(m_scene.sms() - 1)}));
    return widest + 16;
  }

  void wide() {
    double w = m_size.width(), h = m_size.height(), left = 60, right = w - 60;
    m_layout.header = {0, 0, w, 56};
    m_layout.labelWidth = 104;
    double narrationHeight = longestNarration(w - 120);
    m_layout.narration = {left, h - 20 - narrationHeight, w - 120, narrationHeight};
    double wavesWidth = 332, x = left + m_layout.labelWidth;
    m_layout.waves = {right - wavesWidth, 76, wavesWidth, 0};
    double middle = m_layout.waves.left() - 46 - x;
    double outputWidth = std::round(0.34 * middle);
    double gap = std::round(std::max(0.1244 * middle, followedLabelWidth() + 84));

    double subtitle = 106; // the top of its line
    m_layout.outputTitle = {x, 76, outputWidth, 26};
    m_layout.gpuTitle = {x + outputWidth + gap, 76, middle - outputWidth - gap, 26};
    subtitles(subtitle);
    double top = std::max(m_layout.outputSubtitle.bottom(), m_layout.gpuSubtitle.bottom()) + 14;
    double notes = m_type.paragraphHeight(longestNotes(), Type::Label, outputWidth);
    double lowerBottom = m_layout.narration.top() - 44;
    double room = lowerBottom - top - notes - 54;
    double upper = std::min(std::round(room * 0.612), outputWidth);
    place(top, upper, notes);
    m_layout.waves.setBottom(lowerBottom);
    lower(x, m_layout.tensorBottom + notes + 28, (m_scene.oneSlot() ? right : m_layout.gpu.right()) - x,
          lowerBottom);
  }

  void column() {
    double w = m_size.width(), h = m_size.height();
    bool small = m_layout.small;
    double margin = small ? 16 : 28;
    m_layout.labelWidth = small ? 0 : std::max(32.0, hangingLabels());
    double left = margin + m_layout.labelWidth, right = w - margin, width = right - left;
    double top = small ? 12 : 20;

    double titleLine = m_type.lineHeight(small ? Type::Body : Type::Part);
    m_layout.header = {left, top, width, titleLine};
    top += titleLine + 2;
    double narrationHeight = longestNarration(width);
    m_layout.narration = {left, h - (small ? 12 : 20) - narrationHeight, width, narrationHeight};
    double bottom = m_layout.narration.top() - (small ? 10 : 16);

    double contextHeight = m_type.paragraphHeight(text(m_scene.context()), contextType(), width);
    double figuresHeight =
        m_type.lineHeight(Type::Label) + 4 + std::round(m_type.theme().size(bigFigureType(m_layout)));
    QString unknown = text(m_scene.unknownLimits());
    double limits = m_scene.unknownLimits().empty() ? 0 : m_type.paragraphHeight(unknown, Type::Label, width);
    double outputWidth = std::round((small ? 0.3 : 0.36) * width);
    double gap = small ? 24 : std::max(std::round(0.115 * width), followedLabelWidth() + 34);
    double partTitle = m_type.lineHeight(partStyle(m_layout, m_type.theme()).type);

    // From the most needed part on, as long as there is room.
    m_layout.outputTitle = {left, 0, outputWidth, partTitle};
    m_layout.gpuTitle = {left + outputWidth + gap, 0, width - outputWidth - gap, partTitle};
    subtitles(0);
    double subtitleHeight = std::max(m_layout.outputSubtitle.height(), m_layout.gpuSubtitle.height()) + 6;
    double notes = m_type.paragraphHeight(longestNotes(), Type::Label, outputWidth) + 8;
    double room = bottom - top - partTitle - LeastPicture;
    auto take = [&room](double height) {
      bool fits = room >= height;
      room -= fits ? height : 0;
      return fits;
    };
    double space = small ? 8 : 16;
    bool withFigures = take(figuresHeight + space);
    bool withContext = take(contextHeight);
    bool withLimits = limits > 0 && take(limits + 6);
    double lowerTitle = m_type.lineHeight(Type::Body) + LowerGap + 22;
    bool withLower = take(lowerTitle + LeastLower + space);
    bool withSubtitles = take(subtitleHeight);
    bool withNotes = take(notes);

    if (withContext)
      m_layout.context = {left, top, width, contextHeight};
    top += withContext ? contextHeight : 0;
    if (withFigures) {
      top += space;
      m_layout.figures = {left, top, width, figuresHeight};
      top += figuresHeight;
    }
    if (withLimits) {
      m_layout.limitsLine = {left, top + 6, width, limits};
      top += limits + 6;
    }
    top += space;
    m_layout.outputTitle.moveTop(top);
    m_layout.gpuTitle.moveTop(top);
    top += partTitle;
    if (withSubtitles) {
      subtitles(top);
      top += subtitleHeight;
    } else {
      m_layout.outputSubtitle = m_layout.gpuSubtitle = {};
      top += 4;
    }
    double pictures = bottom - top - (withNotes ? notes : 0);
    double lowerRoom = 0;
    if (withLower) {
      double share = pictures - lowerTitle - space;
      lowerRoom = std::min(std::max(LeastLower, std::round(0.36 * share)), 240.0);
      pictures = share - lowerRoom;
    }
    place(top, std::round(pictures), withNotes ? notes : 0);
    if (withLower)
      lower(left, bottom - lowerRoom - lowerTitle, width, bottom - 22);
  }

  Type contextType() const { return m_layout.small ? Type::Label : Type::Small; }

  double followedLabelWidth() const {
    if (!m_scene.oneSlot())
      return 40;
    return m_type.width(text("sm.program", {grouped(m_scene.programs() - 1)}), Type::Label, Weight::Semibold);
  }

  /// The most lines that narration takes at any time.
  double longestNarration(double width) const {
    double height = 0, end = m_scene.clock().duration();
    for (double time : {0.0, 0.5, std::max(0.0, end - 0.5), end})
      height = std::max(
          height, narrationHeight(m_type, text(m_scene.narration(time)), width, narrationType(m_layout)));
    return height;
  }

  /// With the remark on scale wherever that may be needed.
  QString longestNotes() const {
    double aspect = static_cast<double>(m_scene.tiles().columns()) /
                    static_cast<double>(std::max<int64_t>(m_scene.tiles().rows(), 1));
    bool scaled = m_scene.tiling() != Tiling::RowEach && aspect >= LeastAspect && aspect <= MostAspect;
    return notesText(m_scene, scaled || m_scene.tiles().folded());
  }

  void subtitles(double top) {
    Type size = partSubtitleStyle(m_layout, m_type.theme()).type;
    auto height = [&](const QString &words, double width) {
      return m_type.paragraphHeight(words, size, width);
    };
    double left = m_layout.outputTitle.left(), width = m_layout.outputTitle.width();
    m_layout.outputSubtitle = {left, top, width, height(text(m_scene.outputSubtitle()), width)};
    left = m_layout.gpuTitle.left(), width = m_layout.gpuTitle.width();
    double most = 0;
    for (double time : {0.0, m_scene.clock().duration()})
      most = std::max(most, height(text(m_scene.gpuSubtitle(time)), width));
    m_layout.gpuSubtitle = {left, top, width, most};
  }

  /// Tensor, magnifier and GPU with their tops at `top`.
  void place(double top, double height, double notes) {
    QRectF box(m_layout.outputTitle.left(), top, m_layout.outputTitle.width(), height);
    placeTensor(box);
    m_layout.outputNotes = {};
    if (notes > 0)
      m_layout.outputNotes = {box.left(), box.bottom() + 8, box.width(), notes};
    m_layout.tensorBottom = box.bottom();
    placeGpu({m_layout.gpuTitle.left(), top, m_layout.gpuTitle.width(), height});
    double left = (m_scene.tiling() == Tiling::None ? box.right() : m_layout.tensor.right()) + 16;
    m_layout.between = {left, top, m_layout.gpu.left() - 12 - left, height};
  }

  void placeTensor(const QRectF &box) {
    const TileMap &tiles = m_scene.tiles();
    double rows = static_cast<double>(std::max<int64_t>(tiles.shownRows(), 1));
    double columns = static_cast<double>(std::max<int64_t>(tiles.shownColumns(), 1));
    double aspect = tiles.folded() ? 1 : columns / rows;
    bool rowEach = m_scene.tiling() == Tiling::RowEach && box.height() / rows < 12;
    double widest = rowEach ? std::round(box.width() * 0.43) : box.width();
    double shown = std::clamp(aspect, LeastAspect, MostAspect);
    double height = std::min(box.height(), widest / shown);
    if (rowEach)
      height = box.height();
    double width = std::min(widest, height * shown);
    m_layout.toScale = tiles.folded() || std::abs(width / height - aspect) < 0.02 * aspect;
    m_layout.tensor = {box.left(), box.top(), std::max(8.0, std::round(width)),
                       std::max(8.0, std::round(height))};
    m_layout.magnifier = {};
    if (rowEach)
      placeMagnifier(box);
  }

  void placeMagnifier(const QRectF &box) {
    QString last = grouped(m_scene.programs() - 1);
    double words = m_type.width(text("sm.row", {last}), Type::Label, Weight::Semibold) +
                   m_type.width(text("sm.program", {last}), Type::Label, Weight::Semibold) + 40;
    double right = m_layout.gpuTitle.left() - 20, room = right - m_layout.tensor.right();
    // Under it, there is room for how the programs go to the SMs.
    int rows = box.height() >= 330 ? 9 : 5;
    if (room < words + 28 || box.height() < MagnifiedPitch * rows + 30)
      return;
    double width = std::clamp(room - 64, words, std::max(words, 176.0));
    double left = m_layout.tensor.right() + std::min(64.0, room - width);
    m_layout.magnifiedRows = rows;
    m_layout.magnifier = {left, box.top() + 20, width, MagnifiedPitch * rows - 2.0};
  }

  void placeGpu(const QRectF &box) {
    int sms = std::max(1, m_scene.sms()), best = 1;
    double least = 1e9;
    for (int columns = 1; columns <= sms; ++columns) {
      int rows = (sms + columns - 1) / columns;
      double aspect = (box.width() / columns) / (box.height() / rows);
      double cost = std::abs(std::log(aspect / CellAspect)) + 0.3 * (columns * rows - sms) / columns;
      if (cost < least)
        least = cost, best = columns;
    }
    m_layout.gpuColumns = best;
    m_layout.gpuRows = (sms + best - 1) / best;
    auto whole = [](double pitch) { return pitch >= 8 ? std::floor(pitch) : pitch; };
    double width = whole((box.width() + 3) / best), height = whole((box.height() + 3) / m_layout.gpuRows);
    m_layout.pitch = {std::min(width, 96.0), std::min(height, 72.0)};
    m_layout.gpu = {box.left(), box.top(), m_layout.pitch.width() * best,
                    m_layout.pitch.height() * m_layout.gpuRows};
  }

  void lower(double left, double top, double width, double bottom) {
    double line = m_type.lineHeight(Type::Body);
    m_layout.lowerTitle = {left, top, width, line};
    m_layout.lower = {left, top + line + LowerGap, width, bottom - top - line - LowerGap};
  }

  QSizeF m_size;
  const SmScene &m_scene;
  const Typesetter &m_type;
  SmLayout m_layout;
};

} // namespace

QRectF SmLayout::cell(int sm) const {
  double gap = std::min(3.0, pitch.width() * 0.12);
  return {gpu.left() + pitch.width() * (sm % gpuColumns), gpu.top() + pitch.height() * (sm / gpuColumns),
          pitch.width() - gap, pitch.height() - gap};
}

SmLayout layOut(const QSizeF &size, const SmScene &scene, const Typesetter &type) {
  return Layouter(size, scene, type).run();
}

Style partStyle(const SmLayout &layout, const Theme &theme) {
  return {layout.wide ? Type::Part : layout.small ? Type::Small : Type::Body, Weight::Semibold, theme.ink};
}

Style partSubtitleStyle(const SmLayout &layout, const Theme &theme) {
  return {layout.wide ? Type::Small : Type::Label, Weight::Regular, theme.text2};
}

Type narrationType(const SmLayout &layout) { return layout.small ? Type::Body : Type::Narration; }
Type bigFigureType(const SmLayout &layout) { return layout.small ? Type::Figure : Type::BigFigure; }

QString notesText(const SmScene &scene, bool toScale) {
  QStringList notes;
  for (const Phrase &phrase : scene.outputNotes())
    notes.append(text(phrase));
  if (!toScale && !notes.isEmpty())
    notes.append(text("sm.output.not-to-scale"));
  return notes.join(" · ");
}

QString wavesText(const SmScene &scene) {
  double waves = scene.schedule().waves;
  return decimal(waves, waves < 0.01 ? 3 : 2);
}

std::vector<std::pair<QString, QString>> figureRow(const SmScene &scene) {
  std::vector<std::pair<QString, QString>> row{
      {text("sm.figure.waves"), wavesText(scene)},
      {text("sm.figure.programs"), grouped(scene.programs())},
      {text("sm.figure.slots"), grouped(scene.schedule().slotCount)},
      {text(scene.oneSlot() ? "sm.figure.used-sms" : "sm.figure.used-slots"),
       percent(scene.usedShare(), scene.usedShare() < 0.01 ? 1 : 0)}};
  for (const LimitBar &limit : scene.limits())
    if (limit.limiting) {
      row.emplace_back(text("sm.figure.per-sm", {text(limit.resource)}), text(limit.figure));
      break;
    }
  return row;
}

double figureWidth(const Typesetter &type, const std::pair<QString, QString> &figure, Type size) {
  Weight weight = size == Type::BigFigure ? Weight::Bold : Weight::Semibold;
  return std::max(type.width(figure.first, Type::Label), type.width(figure.second, size, weight));
}

} // namespace tilescope::viz
