// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/CoalescingLayout.h"

#include "visualizer/render/Marks.h"
#include "visualizer/render/Text.h"

#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {

using Form = CoalescingLayout::Form;

constexpr double WideFrom = 1280, WideHeight = 600, PairFrom = 840, PairHeight = 480;
constexpr double LeastMemory = 72, LeastTile = 96, LeastSmallTile = 40, LeastChart = 56;
/// From the warp to the lines: room for the connector's curve.
constexpr double WarpGap = 26;

/// Room for the number of each lane.
constexpr double LeastLanes = 15.0 * WarpLanes;

double halves(double width) { return std::floor(2 * width / WarpLanes) / 2 * WarpLanes; }

class Layouter {
public:
  Layouter(const QSizeF &size, const CoalescingScene &scene, const Typesetter &type)
      : m_size(size), m_scene(scene), m_type(type), m_projector(type.theme().kind == Theme::Kind::Projector) {}

  CoalescingLayout run() {
    double w = m_size.width(), h = m_size.height();
    m_layout.canvas = QRectF({0, 0}, m_size);
    m_layout.pitch = std::ceil(m_type.capHeight(Type::Index)) + 8;
    m_layout.form = w >= WideFrom && h >= WideHeight && !m_projector          ? Form::Wide
                    : w >= (m_projector ? 1200 : PairFrom) && h >= PairHeight ? Form::Pair
                                                                              : Form::Column;
    switch (m_layout.form) {
    case Form::Wide:
      wide();
      break;
    case Form::Pair:
      pair();
      break;
    case Form::Column:
      column();
      break;
    }
    return m_layout;
  }

private:
  double line(Type type) const { return m_type.lineHeight(type); }
  double paragraph(const QString &words, Type type, double width) const {
    return m_type.paragraphHeight(words, type, width);
  }

  /// Narration at the bottom, the legend at its right where both fit, else above it or left out.
  double bottomParts(double left, double width, double below, bool withLegend) {
    double legend = withLegend ? legendWidth() : 0;
    bool beside =
        legend > 0 && longestNarration(1e9) <= line(narrationType()) && narrationWidth() + 40 + legend <= width;
    double height = longestNarration(beside ? width - legend - 40 : width);
    m_layout.narration = {left, m_size.height() - below - height, beside ? width - legend - 40 : width, height};
    if (beside)
      m_layout.legend = {left + width - legend, m_layout.narration.top(), legend, height};
    else if (legend > 0 && legend <= width && withLegend) {
      double line = this->line(Type::Label);
      m_layout.legend = {left, m_layout.narration.top() - line - 10, legend, line};
      return m_layout.legend.top();
    }
    return m_layout.narration.top();
  }

  Type narrationType() const { return m_layout.form == Form::Column ? Type::Body : Type::Narration; }

  double narrationWidth() const {
    double widest = 0;
    for (double time : momentsOfNarration())
      widest = std::max(widest, m_type.richWidth(text(m_scene.narration(time)), narrationType()) + 16);
    return widest;
  }

  /// Of the requests with the most to say, whichever these are: a few all through, and both kinds of sentence.
  std::vector<double> momentsOfNarration() const {
    std::vector<double> times{m_scene.clock().duration()};
    int64_t all = m_scene.clock().requests(), step = std::max<int64_t>(1, all / 16);
    for (int64_t order = 0; order < all; order += step)
      times.insert(times.end(), {static_cast<double>(order), RequestClock::judged(order)});
    times.insert(times.end(),
                 {std::max(0.0, m_scene.clock().duration() - 1), RequestClock::judged(std::max<int64_t>(0, all - 1))});
    return times;
  }

  double longestNarration(double width) const {
    double height = 0;
    for (double time : momentsOfNarration())
      height = std::max(height, narrationHeight(m_type, text(m_scene.narration(time)), width, narrationType()));
    return height;
  }

  double legendWidth() const {
    double width = 0;
    for (const char *key : {"coalescing.bar.used", "coalescing.bar.neighbour", "coalescing.bar.nobody"})
      width += 22 + 8 + m_type.width(text(key), Type::Label) + 24;
    return width - 24;
  }

  /// The most that requests all through the tile need of something.
  template <typename Height> double mostOf(Height height) const {
    int64_t all = m_scene.clock().requests(), step = std::max<int64_t>(1, all / 16);
    double most = height(all - 1);
    for (int64_t order = 0; order < all; order += step)
      most = std::max(most, height(order));
    return most;
  }

  double mostWords(double width) const {
    return mostOf([&](int64_t order) {
      double height = 0;
      for (const QString &sentence : coalescingWords(m_scene, order, m_layout.onlyWhy))
        height += paragraph(sentence, m_layout.wordsType(), width) + 6;
      return height;
    });
  }

  void lanes(double left, double top, double width, double bottom) {
    double label = line(Type::Label);
    m_layout.warpTitle = {left, top, width, label};
    double cell = std::ceil(m_type.capHeight(Type::Index)) + 14;
    m_layout.warp = {left, top + label + 4, width, cell};
    double first = m_layout.warp.bottom() + WarpGap;
    m_layout.memoryTitle = {left, bottom - label, width, label};
    m_layout.memory = {left, first, width, std::max(8.0, bottom - label - 8 - first)};
    // A line for each lane fits, with a little more air where there is room for it.
    m_layout.pitch =
        std::clamp(std::floor(m_layout.memory.height() / (WarpLanes + 1)), m_layout.pitch, m_layout.pitch + 6);
  }

  /// Figures, bar, what it holds, the launch, the sentences. Gives where they end; parts that do not fit go.
  double figuresFrom(double left, double top, double width, double bottom, bool big) {
    double room = bottom - top;
    auto take = [&](double height) {
      bool fits = height <= room;
      room -= fits ? height : 0;
      return fits;
    };
    m_layout.onlyWhy = m_layout.form == Form::Column && room < 260;
    double words = mostWords(width), launch = paragraph(longestLaunch(), Type::Label, width);
    // The sentences come before the size of a figure.
    double largest = m_type.theme().size(Type::BigFigure) + m_type.theme().size(Type::Figure) + 3 * line(Type::Label);
    double smallest = m_type.theme().size(Type::Figure) + line(Type::Label) + 4;
    m_layout.onlyWhy |= smallest + words + 12 > room;
    words = m_layout.onlyWhy ? mostWords(width) : words;
    big = big && largest + words + 12 <= room;
    m_layout.bigFigure = big;
    Type bigType = big ? Type::BigFigure : Type::Figure;
    double row = line(Type::Label) + 4 + std::round(m_type.theme().size(bigType));
    bool two = m_layout.figuresInTwo = big && !figuresFit(width, bigType); // the big one, then the others under it
    double figures = two ? row + 10 + line(Type::Label) + std::round(m_type.theme().size(Type::Figure)) : row;
    double barWords = mostOf(
        [&](int64_t order) { return paragraph(coalescingBarWords(m_scene.request(order)), Type::Label, width); });
    if (take(figures))
      m_layout.figures = {left, top, width, figures}, top += figures;
    bool withWords = take(words + 12), withBar = take(m_layout.figures.isEmpty() ? 1e9 : 14 + 12);
    bool withBarWords = withBar && take(barWords + 6), withLaunch = take(launch + 10);
    if (withBar)
      m_layout.bar = {left, top + 12, width, 14}, top += 26;
    if (withBarWords)
      m_layout.barWords = {left, top + 6, width, barWords}, top += barWords + 6;
    if (withLaunch)
      m_layout.launch = {left, top + 10, width, launch}, top += launch + 10;
    if (withWords)
      m_layout.words = {left, top + 12, width, words}, top += words + 12;
    return top;
  }

  bool figuresFit(double width, Type big) const {
    double all = 0;
    for (const auto &[label, number] : coalescingFigures(12345, 99999, 99999)) {
      bool first = all == 0;
      all += std::max(m_type.width(label, Type::Label),
                      m_type.width(first ? percent(0.125, 1) : number, first ? big : Type::Figure,
                                   first ? Weight::Bold : Weight::Semibold)) +
             24;
    }
    return all - 24 <= width;
  }

  QString longestLaunch() const { return text(m_scene.launchLine()); }
  void chart(double left, double top, double width, double bottom) {
    double title = line(Type::Body), subtitle = paragraph(text("coalescing.requests-subtitle"), Type::Label, width);
    double sums = line(Type::Label) + 4 + std::round(m_type.theme().size(Type::Figure));
    double room = bottom - top - title - subtitle - 10 - sums - 28;
    if (room < LeastChart)
      return;
    double height = std::min(room, 240.0);
    m_layout.requestsTitle = {left, top, width, title + subtitle};
    m_layout.requests = {left, top + title + subtitle + 22, width, height};
    m_layout.sums = {left, m_layout.requests.bottom() + 18, width, sums};
  }

  void tileParts(double left, double top, double width, double bottom, bool withRegisters) {
    double title = line(m_layout.form == Form::Wide ? Type::Part : Type::Body);
    double subtitle = paragraph(text(m_scene.tileSubtitle()), Type::Label, width);
    bool wide = m_layout.form == Form::Wide;
    double least = wide ? LeastTile : LeastSmallTile, gap = wide ? 14 : 8;
    double note = withRegisters ? line(Type::Label) * 2 + 3 * 25 + 20 : 0;
    if (bottom - top < title + subtitle + gap + least)
      return;
    if (bottom - top < title + subtitle + gap + least + note)
      note = 0;
    m_layout.tileTitle = {left, top, width, title};
    m_layout.tileSubtitle = {left, top + title + 2, width, subtitle};
    top = m_layout.tileSubtitle.bottom() + gap;
    m_layout.tile = {left, top, width, bottom - top - note};
    if (note > 0)
      m_layout.registers = {left, bottom - note + 14, width, note - 14};
  }

  /// Room for the longest address at the left of the lines.
  double addressWidth() const {
    int64_t last = 0;
    for (const WarpRequest &request : m_scene.requests())
      if (!request.sectors.empty())
        last = std::max(last, m_scene.offsetOf(request.sectors.back().line() * LineBytes));
    return std::max(60.0, std::ceil(m_type.width(grouped(last), Type::Address)) + 20);
  }

  void wide() {
    double w = m_size.width(), left = 60, right = w - 60;
    m_layout.margin = 60;
    m_layout.header = {0, 0, w, 56};
    double bottom = bottomParts(left, right - left, 20, true) - 18;
    double chip = line(Type::Label) + 10;
    m_layout.chips = {left, 56 + 14, right - left, chip};
    double top = m_layout.chips.bottom() + 18;
    double lanesWidth = std::max(LeastLanes, halves((right - left - 120) / 3));
    double gutter = addressWidth();
    double side = std::floor((right - left - 60 - gutter - lanesWidth) / 2);
    m_layout.addresses = true;
    tileParts(left + hangingWarps(), top, side - hangingWarps(), bottom, true);
    lanes(left + side + gutter, top, lanesWidth, bottom);
    double end = figuresFrom(right - side, top, side, bottom, true);
    chart(right - side, end + 20, side, bottom);
  }

  double hangingWarps() const { return std::ceil(m_type.width(text("coalescing.warp", {"3"}), Type::Address)) + 8; }

  void head(double left, double width) {
    double top = m_projector ? 56 : m_layout.form == Form::Column ? 12 : 20;
    double title = line(m_layout.form == Form::Column ? Type::Body : Type::Part);
    m_layout.header = {left, top, width, title};
    double context = paragraph(text(m_scene.context()), Type::Label, width);
    m_layout.context = {left, m_layout.header.bottom() + 2, width, context};
    m_layout.chips = {left, m_layout.context.bottom() + 8, width, line(Type::Label) + 10};
  }

  void pair() {
    double margin = m_projector ? 96 : 28, left = m_projector ? 116 : addressWidth(), right = m_size.width() - margin;
    m_layout.margin = margin;
    m_layout.addresses = true;
    head(left, right - left);
    double bottom = bottomParts(left, right - left, m_projector ? 48 : 20, true) - 14;
    double top = m_layout.chips.bottom() + 16;
    double lanesWidth =
        std::max(LeastLanes, halves(m_projector ? 0.55 * m_size.width() - 96 : 0.57 * m_size.width() - 60));
    lanes(left, top, lanesWidth, bottom);
    double x = left + lanesWidth + (m_projector ? 60 : 32);
    double end = figuresFrom(x, top, right - x, bottom, true);
    tileParts(x, end + 10, right - x, bottom, false);
  }

  void column() {
    double margin = 16, width = m_size.width() - 2 * margin;
    m_layout.margin = margin;
    head(margin, width);
    double bottom = bottomParts(margin, width, 12, false) - 10;
    double cell = halves(width);
    double memory = std::max(LeastMemory, std::round(0.28 * m_size.height()));
    double need = line(Type::Label) + 4 + 24 + WarpGap + memory + line(Type::Label) + 8;
    double top = m_layout.header.bottom() + 6;
    double context = m_layout.context.height() + 4, chips = m_layout.chips.height() + 8, room = bottom - top - need;
    room -= line(Type::Label) + 14 + m_type.theme().size(Type::Figure); // the figures come first
    bool withChips = room >= chips;
    room -= withChips ? chips : 0;
    bool withContext = room >= context;
    if (withContext)
      m_layout.context.moveTop(top), top += context;
    else
      m_layout.context = {};
    if (withChips)
      m_layout.chips.moveTop(top), top += chips;
    else
      m_layout.chips = {};
    top = figuresFrom(margin, top, width, bottom - need - 8, false) + 10;
    lanes(margin, top, cell, bottom);
  }

  QSizeF m_size;
  const CoalescingScene &m_scene;
  const Typesetter &m_type;
  bool m_projector;
  CoalescingLayout m_layout;
};

} // namespace

CoalescingLayout layOutCoalescing(const QSizeF &size, const CoalescingScene &scene, const Typesetter &type) {
  return Layouter(size, scene, type).run();
}

std::vector<AccessChip> accessChips(const CoalescingLayout &layout, const CoalescingScene &scene,
                                    const Typesetter &type) {
  std::vector<AccessChip> chips;
  if (layout.chips.isEmpty())
    return chips;
  int count = static_cast<int>(scene.launch().accesses.size()), chosen = scene.detail().access;
  auto chipOf = [&](int access) {
    AccessChip chip;
    chip.access = access;
    chip.strong = text(scene.accessName(access));
    chip.quiet = text("coalescing.chip.line", {grouped(scene.launch().accesses[static_cast<size_t>(access)].line)});
    double name = 24 + type.width(chip.strong, Type::Label, Weight::Semibold);
    double width = name + 6 + type.width(chip.quiet, Type::Label);
    if (width > layout.chips.width())
      chip.quiet.clear(), width = name;
    chip.box = {0, layout.chips.top(), std::ceil(width), layout.chips.height()};
    return chip;
  };
  // The chosen one, then in turn its neighbours at either side as long as there is room.
  chips.push_back(chipOf(chosen));
  if (chips[0].box.width() > layout.chips.width())
    return {};
  double room = layout.chips.width() - chips[0].box.width();
  for (int step = 1; step < count; ++step)
    for (int access : {chosen + step, chosen - step}) {
      if (access < 0 || access >= count)
        continue;
      AccessChip chip = chipOf(access);
      room -= chip.box.width() + 8;
      if (room < 0)
        step = count;
      else
        chips.insert(access < chosen ? chips.begin() : chips.end(), chip);
      if (room < 0)
        break;
    }
  double x = layout.chips.left();
  for (AccessChip &chip : chips) {
    chip.box.moveLeft(x);
    x += chip.box.width() + 8;
  }
  return chips;
}

std::vector<std::pair<QString, QString>> coalescingFigures(int64_t bytesUsed, int64_t sectors, int64_t ideal) {
  auto requested = static_cast<double>(SectorBytes * sectors), used = static_cast<double>(bytesUsed);
  double share = sectors ? used / requested : 0, ratio = bytesUsed ? requested / used : 0;
  bool whole = std::abs(1000 * share - 10 * std::round(100 * share)) < 0.5;
  return {{text("coalescing.figure.used"), percent(share, whole ? 0 : 1)},
          {text("coalescing.figure.sectors"), grouped(sectors)},
          {text("coalescing.figure.ideal"), grouped(ideal)},
          {text("coalescing.figure.ratio"), text("coalescing.factor", {decimal(ratio, 2)})}};
}

QString coalescingBarWords(const WarpRequest &request) {
  return text("coalescing.bar", {countText("coalescing.bytes", request.bytesUsed), grouped(request.bytesOfNeighbours()),
                                 grouped(request.bytesOfNobody())});
}

QStringList coalescingWords(const CoalescingScene &scene, int64_t order, bool onlyWhy) {
  QStringList words{"**" + text(scene.why(order)) + "**"};
  if (onlyWhy)
    return words;
  for (const Phrase &phrase : {scene.rest(order), scene.better(order)})
    if (!phrase.empty())
      words.append(text(phrase));
  return words;
}

} // namespace tilescope::viz
