// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/SmViewWidget.h"

#include "visualizer/render/Text.h"
#include "visualizer/widgets/ChoiceBox.h"
#include "visualizer/widgets/SmCanvas.h"

#include <QComboBox>
#include <QEvent>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

namespace tilescope::viz {

namespace {
/// Of TilesRequest::count.
constexpr qint64 MostTilesAtOnce = 65'536;
} // namespace

struct SmViewWidget::Private {
  SmViewWidget &widget;
  Selection &selection;
  SmCanvas *canvas;
  QComboBox *outputs;
  std::optional<protocol::LaunchSummary> launch;
  protocol::Schedule schedule;
  SmScene scene;
  double time = 0;
  bool reduced = false, stale = false;

  Private(SmViewWidget &widget, Selection &selection) : widget(widget), selection(selection) {
    canvas = new SmCanvas(&widget);
    outputs = new ChoiceBox(canvas);
    outputs->hide();
    auto *column = new QVBoxLayout(&widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(canvas);
    widget.setFocusProxy(canvas);
  }

  bool drawable() const { return launch && scene.waves() > 0; }

  void showOutput(int output) {
    scene = launch ? SmScene(*launch, schedule, output) : SmScene();
    canvas->setScene(launch ? &scene : nullptr);
    canvas->setState({selection.program(), -1, reduced, stale});
    play();
    askForTiles();
    placeChooser();
  }

  void askForTiles() {
    qint64 first = scene.tiles().firstUnknown(), missing = scene.programs() - first;
    if (scene.output() && missing > 0)
      Q_EMIT widget.tilesNeeded(scene.outputIndex(), first, std::min(missing, MostTilesAtOnce));
  }

  /// The end, where everything has been written, is where it rests.
  void play() {
    setTime(duration());
    Q_EMIT widget.playableChanged();
  }

  double duration() const { return drawable() ? scene.clock().duration() : 0; }

  void setTime(double wanted) {
    time = std::clamp(wanted, 0.0, duration());
    canvas->setTime(time);
    selection.setTime(time);
    Q_EMIT widget.timeChanged(time);
  }

  void fillChooser() {
    QSignalBlocker quiet(outputs);
    outputs->clear();
    if (launch)
      for (const protocol::OutputTensor &output : launch->outputs)
        outputs->addItem(text("sm.chooser.entry", {QString::fromStdString(output.name),
                                                   QString::fromStdString(shapeText(output.shape))}));
    outputs->setAccessibleName(text("sm.chooser"));
    outputs->setToolTip(text("sm.chooser"));
  }

  void placeChooser() {
    QRect title = canvas->outputTitle();
    bool shown = outputs->count() > 1 && !title.isEmpty();
    outputs->setVisible(shown);
    if (!shown)
      return;
    // Beside the title, or where there is no room for both in its place: it says the same.
    int wanted = outputs->sizeHint().width();
    int width = wanted <= title.width() * 3 / 5 ? wanted : title.width();
    outputs->setGeometry(title.right() - width + 1, title.top() - 2, width, title.height() + 2);
  }

  /// A program chosen in the picture: the whole window follows, its source line too.
  void choose(qint64 program) {
    selection.setProgram(program);
    Q_EMIT widget.programSelected(program);
    Q_EMIT widget.programDetailNeeded(program);
    const protocol::OutputTensor *output = scene.output();
    if (output && output->access >= 0 && output->access < static_cast<int>(launch->accesses.size())) {
      selection.setOperation(output->access);
      Q_EMIT widget.lineActivated(QString::fromStdString(launch->kernelPath),
                                  launch->accesses[static_cast<size_t>(output->access)].line);
    }
  }

  /// Selected here or elsewhere: shown while it runs.
  void follow(qint64 program) {
    SmState state = canvas->state();
    state.selected = program;
    canvas->setState(state);
    bool elsewhere =
        drawable() && program >= 0 && scene.waveOf(program) != scene.clock().waveAt(time);
    if (elsewhere && program < scene.programs())
      setTime(static_cast<double>(scene.waveOf(program)) + WaveClock::Landed);
  }

  void connectAll() {
    connect(canvas, &SmCanvas::hovered, &widget, [this](qint64 program) {
      Q_EMIT widget.programHovered(program);
      if (program >= 0)
        Q_EMIT widget.programDetailNeeded(program);
    });
    connect(canvas, &SmCanvas::chosen, &widget, [this](qint64 program) { choose(program); });
    connect(canvas, &SmCanvas::keyPressed, &widget, &SmViewWidget::keyPressed);
    connect(outputs, &QComboBox::currentIndexChanged, &widget, [this](int output) { showOutput(output); });
    connect(&selection, &Selection::programChanged, &widget, [this](qint64 program) { follow(program); });
    connect(&selection, &Selection::timeChanged, &widget, [this](double wanted) {
      if (wanted != time)
        setTime(wanted);
    });
    canvas->installEventFilter(&widget);
  }
};

SmViewWidget::SmViewWidget(Selection &selection, QWidget *parent)
    : LaunchView(parent), d(std::make_unique<Private>(*this, selection)) {
  d->connectAll();
  clear();
}

SmViewWidget::~SmViewWidget() = default;

void SmViewWidget::setLaunch(const protocol::LaunchSummary &launch) {
  d->launch = launch;
  d->stale = false;
  d->fillChooser();
  d->showOutput(0);
}

void SmViewWidget::setSchedule(const protocol::Schedule &schedule) {
  d->schedule = schedule;
  d->scene.setSchedule(schedule);
  d->canvas->refresh();
  d->play();
  d->placeChooser();
}

void SmViewWidget::addTiles(int output, const protocol::TilePage &page) {
  if (output != d->scene.outputIndex() || d->scene.tiles().complete())
    return;
  d->scene.addTiles(page);
  d->canvas->refresh();
  d->placeChooser();
  if (!page.tiles.values.empty())
    d->askForTiles();
}

void SmViewWidget::setProgramDetail(const protocol::ProgramDetail &detail) { d->canvas->setDetail(detail); }

void SmViewWidget::setTheme(const Theme &theme) { d->canvas->setTheme(theme); }

void SmViewWidget::setStale(bool stale) {
  d->stale = stale;
  SmState state = d->canvas->state();
  state.stale = stale;
  d->canvas->setState(state);
}

void SmViewWidget::setReducedMotion(bool reduced) {
  d->reduced = reduced;
  SmState state = d->canvas->state();
  state.reducedMotion = reduced;
  d->canvas->setState(state);
}

void SmViewWidget::clear() {
  d->launch.reset();
  d->stale = false;
  d->fillChooser();
  d->showOutput(0);
}

void SmViewWidget::retranslate() {
  d->fillChooser();
  QSignalBlocker quiet(d->outputs);
  d->outputs->setCurrentIndex(d->scene.outputIndex());
  d->canvas->refresh();
  d->placeChooser();
}

Playable SmViewWidget::playable() const {
  Playable playable;
  if (!d->drawable())
    return playable;
  WaveClock clock = d->scene.clock();
  playable.duration = clock.duration();
  playable.secondsPerUnit = clock.secondsPerWave();
  for (int64_t wave = 0; wave <= clock.waves(); wave += std::max<int64_t>(1, clock.waves() / 512))
    playable.ticks.push_back(static_cast<double>(wave));
  playable.next = [clock](double time) { return clock.next(time); };
  playable.previous = [clock](double time) { return clock.previous(time); };
  playable.label = [this](double time) { return text(d->scene.position(time)); };
  return playable;
}

double SmViewWidget::time() const { return d->time; }
void SmViewWidget::setTime(double time) { d->setTime(time); }

QString SmViewWidget::narration(double time) const {
  return d->drawable() ? text(d->scene.narration(time)).remove("**") : QString();
}

void SmViewWidget::paint(QPainter &painter, const QRectF &box, double time, const Theme &theme) const {
  SmView view(theme);
  SmState state = d->canvas->state();
  state.hovered = -1;
  painter.save();
  painter.translate(box.topLeft());
  view.paint(painter, box.size(), d->scene, time, state);
  painter.restore();
}

QImage SmViewWidget::picture(QSize size) const {
  QImage image(size, QImage::Format_RGB32);
  QPainter painter(&image);
  paint(painter, QRectF({0, 0}, size), d->time, d->canvas->theme());
  return image;
}

bool SmViewWidget::eventFilter(QObject *object, QEvent *event) {
  if (object == d->canvas && (event->type() == QEvent::Resize || event->type() == QEvent::Wheel))
    QMetaObject::invokeMethod(this, [this] { d->placeChooser(); }, Qt::QueuedConnection);
  return QWidget::eventFilter(object, event);
}

void SmViewWidget::changeEvent(QEvent *event) {
  if (event->type() == QEvent::LanguageChange)
    retranslate();
  QWidget::changeEvent(event);
}

} // namespace tilescope::viz
