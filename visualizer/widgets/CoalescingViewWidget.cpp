// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/CoalescingViewWidget.h"

#include "visualizer/render/Text.h"
#include "visualizer/widgets/CoalescingCanvas.h"
#include "visualizer/widgets/EmptyView.h"
#include "visualizer/widgets/RequestTable.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace tilescope::viz {

struct CoalescingViewWidget::Private {
  CoalescingViewWidget &widget;
  Selection &selection;
  CoalescingCanvas *canvas;
  RequestTable *table;
  QToolButton *tableButton;
  std::optional<protocol::LaunchSummary> launch;
  CoalescingScene scene;
  Asked last; ///< what was asked for last
  qint64 execution = 0;
  QString problem;
  double time = 0;

  Private(CoalescingViewWidget &widget, Selection &selection) : widget(widget), selection(selection) {
    canvas = new CoalescingCanvas(&widget);
    auto *column = new QVBoxLayout(&widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(canvas, 3);
    table = new RequestTable(&widget);
    table->hide();
    column->addWidget(table, 1);
    tableButton = new QToolButton(canvas);
    tableButton->setCheckable(true);
    tableButton->setProperty("flat", true);
    tableButton->setAutoRaise(true);
    tableButton->setFocusPolicy(Qt::TabFocus);
    tableButton->hide();
    widget.setFocusProxy(canvas);
  }

  /// At the right end of the row of accesses, where that leaves room.
  void placeTableButton() {
    CoalescingView view(canvas->theme());
    QRectF row = scene.empty() ? QRectF() : view.layout(canvas->size(), scene).chips;
    QSize size = tableButton->sizeHint();
    std::vector<AccessChip> chips;
    if (!row.isEmpty()) {
      Typesetter type(canvas->theme());
      chips = accessChips(view.layout(canvas->size(), scene), scene, type);
    }
    double right = chips.empty() ? 0 : chips.back().box.right();
    bool fits = !row.isEmpty() && right + 8 + size.width() <= row.right();
    tableButton->setVisible(fits);
    tableButton->setGeometry(static_cast<int>(row.right()) - size.width(),
                             static_cast<int>(row.center().y()) - size.height() / 2, size.width(), size.height());
  }

  int accesses() const { return launch ? static_cast<int>(launch->accesses.size()) : 0; }

  Asked asked() const {
    if (accesses() == 0)
      return {-1, 0, 0};
    auto last = static_cast<qint64>(launch->programs) - 1;
    // Not the first program, whose tile may begin where the tensor does and look better than all others.
    qint64 program = selection.program() >= 0 ? selection.program() : 1;
    return {std::clamp(selection.operation(), 0, accesses() - 1),
            std::clamp<qint64>(program, 0, std::max<qint64>(last, 0)), execution};
  }

  /// What stands in the place of a picture.
  QStringList emptyWords() const {
    if (!launch)
      return {text("coalescing.empty"), text("coalescing.empty.hint")};
    if (accesses() == 0)
      return {text("coalescing.no-access")};
    if (!problem.isEmpty())
      return {problem};
    bool known = scene.allRequests() > 0;
    return {known ? text(scene.narration(0)) : text("coalescing.waiting")};
  }

  void show() {
    canvas->setScene(scene.empty() ? nullptr : &scene, emptyWords());
    table->setScene(scene.empty() ? nullptr : &scene);
    tableButton->setText(text("coalescing.table.show"));
    tableButton->setToolTip(text("coalescing.table.hint"));
    placeTableButton();
  }

  /// Asks, if something else is wanted than before.
  void askAgain(bool anyway = false) {
    Asked now = asked();
    if (!anyway && now == last)
      return;
    bool sameAccess = !anyway && now.access == last.access;
    if (!sameAccess)
      scene = {};
    last = now;
    problem.clear();
    show();
    if (!sameAccess)
      Q_EMIT widget.playableChanged();
    Q_EMIT widget.wanted();
  }

  double duration() const { return scene.clock().duration(); }

  void setTime(double wanted) {
    time = std::clamp(wanted, 0.0, duration());
    canvas->setTime(time);
    if (table->isVisible())
      table->setRequest(scene.clock().requestAt(time));
    Q_EMIT widget.timeChanged(time);
  }

  void activateLine() {
    int access = asked().access;
    if (access >= 0)
      Q_EMIT widget.lineActivated(QString::fromStdString(launch->kernelPath),
                                  launch->accesses[static_cast<size_t>(access)].line);
  }

  void follow(int lane) {
    CoalescingState state = canvas->state();
    state.lane = lane;
    canvas->setState(state);
  }

  void choose(const CoalescingHit &hit) {
    if (hit.access >= 0)
      selection.setOperation(hit.access);
    if (hit.lane >= 0)
      follow(hit.lane);
    if (hit.request >= 0)
      setTime(RequestClock::judged(hit.request));
    activateLine();
  }

  bool handleKey(const QKeyEvent &event) {
    if (accesses() == 0)
      return false;
    int lane = scene.empty() ? 0 : scene.followed(scene.clock().requestAt(time), canvas->state().lane);
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      follow((lane + (event.key() == Qt::Key_Right ? 1 : WarpLanes - 1)) % WarpLanes);
      return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
      selection.setOperation(std::clamp(last.access + (event.key() == Qt::Key_Down ? 1 : -1), 0, accesses() - 1));
      activateLine();
      return true;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      selection.setProgram(std::clamp<qint64>(last.program + (event.key() == Qt::Key_PageDown ? 1 : -1), 0,
                                              static_cast<qint64>(launch->programs) - 1));
      return true;
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
      execution = std::clamp<qint64>(execution + (event.key() == Qt::Key_BracketRight ? 1 : -1), 0,
                                     std::max<int64_t>(scene.detail().executions - 1, 0));
      askAgain();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      activateLine();
      return true;
    default:
      return false;
    }
  }

  void connectAll() {
    connect(canvas, &CoalescingCanvas::clicked, &widget, [this](const CoalescingHit &hit) { choose(hit); });
    connect(canvas, &CoalescingCanvas::keyPressed, &widget, [this](QKeyEvent *event) {
      if (handleKey(*event))
        event->accept();
      else
        Q_EMIT widget.keyPressed(event);
    });
    connect(tableButton, &QToolButton::toggled, &widget, [this](bool shown) {
      table->setVisible(shown);
      table->setRequest(scene.clock().requestAt(time));
    });
    connect(table, &RequestTable::requestChosen, &widget,
            [this](qint64 order) { setTime(RequestClock::judged(order)); });
    canvas->installEventFilter(&widget);
    auto another = [this] {
      execution = 0;
      if (launch)
        askAgain();
    };
    connect(&selection, &Selection::operationChanged, &widget, another);
    connect(&selection, &Selection::programChanged, &widget, another);
  }
};

CoalescingViewWidget::CoalescingViewWidget(Selection &selection, QWidget *parent)
    : LaunchView(parent), d(std::make_unique<Private>(*this, selection)) {
  d->connectAll();
  clear();
}

CoalescingViewWidget::~CoalescingViewWidget() = default;

void CoalescingViewWidget::setLaunch(const protocol::LaunchSummary &launch) {
  d->launch = launch;
  d->execution = 0;
  d->follow(-1);
  setStale(false);
  d->askAgain(/*anyway=*/true);
}

void CoalescingViewWidget::clear() {
  d->launch.reset();
  d->scene = {};
  d->problem.clear();
  setStale(false);
  d->show();
  d->setTime(0);
  Q_EMIT playableChanged();
  Q_EMIT wanted();
}

void CoalescingViewWidget::setStale(bool stale) {
  CoalescingState state = d->canvas->state();
  state.stale = stale;
  d->canvas->setState(state);
}

void CoalescingViewWidget::setReducedMotion(bool reduced) {
  CoalescingState state = d->canvas->state();
  state.reducedMotion = reduced;
  d->canvas->setState(state);
}

void CoalescingViewWidget::setTheme(const Theme &theme) { d->canvas->setTheme(theme); }
void CoalescingViewWidget::retranslate() { d->show(); }

Playable CoalescingViewWidget::playable() const {
  Playable playable;
  if (d->scene.empty())
    return playable;
  RequestClock clock = d->scene.clock();
  playable.duration = clock.duration();
  playable.secondsPerUnit = clock.secondsPerRequest();
  for (int64_t request = 0; request <= clock.requests(); request += std::max<int64_t>(1, clock.requests() / 512))
    playable.ticks.push_back(static_cast<double>(request));
  playable.next = [clock](double time) { return clock.next(time); };
  playable.previous = [clock](double time) { return clock.previous(time); };
  playable.label = [this](double time) { return text(d->scene.position(time)); };
  return playable;
}

double CoalescingViewWidget::time() const { return d->time; }
void CoalescingViewWidget::setTime(double time) { d->setTime(time); }

QString CoalescingViewWidget::narration(double time) const {
  return d->scene.empty() ? QString() : text(d->scene.narration(time)).remove("**");
}

void CoalescingViewWidget::paint(QPainter &painter, const QRectF &box, double time, const Theme &theme) const {
  painter.save();
  painter.translate(box.topLeft());
  if (d->scene.empty())
    paintNothing(painter, QRectF({0, 0}, box.size()), theme, d->emptyWords().value(0), d->emptyWords().value(1));
  else
    CoalescingView(theme).paint(painter, box.size(), d->scene, time, d->canvas->state());
  painter.restore();
}

CoalescingViewWidget::Asked CoalescingViewWidget::asked() const { return d->asked(); }
const CoalescingScene &CoalescingViewWidget::scene() const { return d->scene; }

void CoalescingViewWidget::setAccess(const protocol::AccessDetail &detail, const QString &gpu) {
  if (!d->launch || detail.access >= d->accesses())
    return;
  // Another program of the same access is looked at where the last one was.
  int64_t before = d->scene.clock().requests();
  d->scene = CoalescingScene(*d->launch, detail, gpu.toStdString());
  d->show();
  if (before == 0 || d->time > d->duration())
    d->setTime(RequestClock::judged(0));
  else
    d->setTime(d->time);
  Q_EMIT playableChanged();
}

void CoalescingViewWidget::addPage(const protocol::AccessDetail &page) {
  d->scene.addPage(page);
  d->canvas->update();
  d->table->viewport()->update();
}

void CoalescingViewWidget::setCount(const protocol::AccessCount &count) {
  d->scene.setCount(count);
  d->canvas->update();
}

void CoalescingViewWidget::setProblem(const QString &reason) {
  d->scene = {};
  d->problem = reason;
  d->show();
  Q_EMIT playableChanged();
}

bool CoalescingViewWidget::eventFilter(QObject *object, QEvent *event) {
  if (object == d->canvas && event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(
        this, [this] { d->placeTableButton(); }, Qt::QueuedConnection);
  return QWidget::eventFilter(object, event);
}

void CoalescingViewWidget::showEvent(QShowEvent *event) {
  LaunchView::showEvent(event);
  Q_EMIT shown();
}

void CoalescingViewWidget::changeEvent(QEvent *event) {
  if (event->type() == QEvent::LanguageChange)
    retranslate();
  QWidget::changeEvent(event);
}

} // namespace tilescope::viz
