// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow to jumps, calls to their bodies, reductions and scans to whole-tile steps.
#include "compiler/Interpreter/Flattener.h"
#include "compiler/Interpreter/Machine.h"

#include <llvm/ADT/TypeSwitch.h>

namespace tilescope::interp {

namespace {

constexpr size_t DeepestCall = 64;

} // namespace

//===- Values that are assigned more than once -----------------------------------------------------===//

/// Adds the values that `pointer` may be, one step back; false if what it comes from is not known.
bool Flattener::rootsOf(mlir::Value pointer, llvm::SmallVectorImpl<mlir::Value> &next) {
  mlir::Operation *op = pointer.getDefiningOp();
  unsigned index = 0;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(pointer)) {
    op = argument.getOwner()->getParentOp();
    index = argument.getArgNumber();
    if (auto loop = llvm::dyn_cast<tile::WhileOp>(op)) {
      if (argument.getOwner() == loop.afterBlock())
        next.push_back(loop.condition().getValues()[index]);
      else
        next.append({loop.getInits()[index], loop.terminator().getOperand(index)});
      return true;
    }
    auto loop = llvm::dyn_cast<tile::ForOp>(op);
    if (!loop || index == 0)
      return false;
    next.append({loop.getInits()[index - 1], loop.terminator().getOperand(index - 1)});
    return true;
  }
  index = llvm::cast<mlir::OpResult>(pointer).getResultNumber();
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case([&](tile::ForOp loop) {
        next.append({loop.getInits()[index], loop.terminator().getOperand(index)});
        return true;
      })
      .Case([&](tile::WhileOp loop) {
        next.push_back(loop.condition().getValues()[index]);
        return true;
      })
      .Case([&](tile::IfOp branch) {
        next.push_back(branch.thenBlock()->getTerminator()->getOperand(index));
        next.push_back(branch.elseBlock()->getTerminator()->getOperand(index));
        return true;
      })
      .Case<tile::AddPtrOp, tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp,
            tile::PermuteOp, tile::SplitOp, tile::BitcastOp>([&](mlir::Operation *op) {
        next.push_back(op->getOperand(0));
        return true;
      })
      .Case<tile::JoinOp, tile::CatOp>([&](mlir::Operation *op) {
        next.append({op->getOperand(0), op->getOperand(1)});
        return true;
      })
      .Case([&](tile::SelectOp op) {
        next.append({op.getOnTrue(), op.getOnFalse()});
        return true;
      })
      .Default([](mlir::Operation *) { return false; });
}

std::optional<uint32_t> Flattener::rootOf(mlir::Value pointer) {
  std::optional<uint32_t> root;
  llvm::DenseSet<mlir::Value> seen;
  llvm::SmallVector<mlir::Value> open{pointer};
  while (!open.empty()) {
    const mlir::Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    if (argument && llvm::isa<tile::FuncOp>(argument.getOwner()->getParentOp())) {
      const Provenance &provenance = get(value).provenance;
      if (provenance.kind != Provenance::Kind::Argument || (root && *root != provenance.index))
        return std::nullopt;
      root = provenance.index;
    } else if (!rootsOf(value, open)) {
      return std::nullopt;
    }
  }
  return root;
}

Flattener::Carried Flattener::carried(mlir::Value value) {
  const uint32_t count = elementsOf(value.getType());
  Carried result{m_code.fresh(interp::elementTypeOf(value.getType()), count), std::nullopt};
  if (!interp::isPointer(value.getType()))
    return result;
  if (const auto root = rootOf(value)) {
    result.value.provenance = {Provenance::Kind::Argument, *root, true};
  } else {
    result.tensors = m_code.fresh(ElementType::UInt32, count);
    result.value.provenance = {Provenance::Kind::Slot, result.tensors->value, false};
  }
  return result;
}

/// All at once: a source that an earlier move overwrites is set aside first.
void Flattener::assign(llvm::ArrayRef<Carried> targets, mlir::ValueRange sources) {
  std::vector<std::pair<Operand, Operand>> moves;
  const auto add = [&](const Operand &to, const Operand &from) {
    if (to.value != from.value)
      moves.push_back({to, from});
  };
  for (auto [target, source] : llvm::zip_equal(targets, sources)) {
    add(target.value, get(source));
    if (target.tensors)
      add(*target.tensors, m_code.provenanceValue(get(source)));
  }
  for (size_t i = 1; i < moves.size(); ++i) {
    const auto overwritten = [&](const auto &move) { return move.first.value == moves[i].second.value; };
    if (std::none_of(moves.begin(), moves.begin() + i, overwritten))
      continue;
    const Operand aside = m_code.fresh(moves[i].second.type, moves[i].second.stored);
    m_code.copyInto(aside, moves[i].second);
    moves[i].second = aside;
  }
  for (const auto &[to, from] : moves)
    m_code.copyInto(to, from);
}

/// At the end of a trip. What can be computed where it is carried needs no move.
void Flattener::assignInLoop(llvm::ArrayRef<Carried> targets, mlir::ValueRange sources, uint32_t begin) {
  llvm::SmallVector<Carried> movedTargets;
  llvm::SmallVector<mlir::Value> movedSources;
  for (auto [target, source] : llvm::zip_equal(targets, sources)) {
    const auto usesTarget = [&](mlir::Value value) { return get(value).value == target.value.value; };
    const bool readLater = llvm::any_of(sources, usesTarget);
    if (!target.tensors && !readLater && m_code.computeInPlace(target.value, get(source), begin))
      continue;
    movedTargets.push_back(target);
    movedSources.push_back(source);
  }
  assign(movedTargets, movedSources);
}

//===- Loops and branches --------------------------------------------------------------------------===//

bool Flattener::forLoop(tile::ForOp op) {
  const uint32_t place = m_code.place();
  llvm::SmallVector<Carried> values;
  for (mlir::Value argument : op.carriedArguments())
    values.push_back(carried(argument));
  assign(values, op.getInits());
  const Assembler::CountedLoop loop =
      m_code.beginFor(get(op.getLower()), get(op.getUpper()), get(op.getStep()));
  set(op.inductionVariable(), loop.induction);
  noteInduction(m_step, op.inductionVariable());
  closeStep();
  for (auto [argument, value] : llvm::zip_equal(op.carriedArguments(), values))
    set(argument, value.value);
  if (!block(*op.getBody()))
    return false;
  m_code.returnTo(place);
  const uint32_t tail = beginStep("for");
  assignInLoop(values, op.terminator().getOperands(), loop.begin);
  m_code.endFor(loop);
  noteInduction(tail, op.inductionVariable());
  for (auto [result, value] : llvm::zip_equal(op.getResults(), values))
    set(result, value.value);
  return true;
}

bool Flattener::whileLoop(tile::WhileOp op) {
  const uint32_t place = m_code.place();
  llvm::SmallVector<Carried> values;
  for (mlir::Value argument : op.beforeBlock()->getArguments())
    values.push_back(carried(argument));
  assign(values, op.getInits());
  closeStep();
  const uint32_t begin = m_code.position(), firstStep = m_code.nextStep();
  for (auto [argument, value] : llvm::zip_equal(op.beforeBlock()->getArguments(), values))
    set(argument, value.value);
  if (!block(*op.beforeBlock()))
    return false;
  m_code.returnTo(place);
  beginStep("while");
  const uint32_t leave = m_code.jumpUnless(get(op.condition().getCondition()));
  for (auto [argument, value] : llvm::zip_equal(op.afterBlock()->getArguments(), op.condition().getValues()))
    set(argument, get(value));
  if (!block(*op.afterBlock()))
    return false;
  m_code.returnTo(place);
  beginStep("", /*isHidden=*/true);
  assignInLoop(values, op.terminator().getOperands(), begin);
  m_code.endWhile(begin, firstStep);
  m_code.landHere(leave);
  for (auto [result, value] : llvm::zip_equal(op.getResults(), op.condition().getValues()))
    set(result, get(value));
  return true;
}

bool Flattener::ifThenElse(tile::IfOp op) {
  const Operand condition = get(op.getCondition());
  if (condition.stored != 1)
    return unsupported(op);
  llvm::SmallVector<Carried> results;
  for (mlir::Value result : op.getResults())
    results.push_back(carried(result));
  const uint32_t skip = m_code.jumpUnless(condition);
  closeStep();
  std::optional<uint32_t> end;
  const auto branch = [&](mlir::Block &body, bool jumps) {
    if (!block(body))
      return false;
    const uint32_t tail = beginStep("", /*isHidden=*/true);
    assign(results, body.getTerminator()->getOperands());
    if (jumps)
      end = m_code.jump();
    endStep(tail);
    return true;
  };
  if (!branch(*op.thenBlock(), op.elseBlock() != nullptr))
    return false;
  m_code.landHere(skip);
  if (op.elseBlock() && !branch(*op.elseBlock(), false))
    return false;
  if (end)
    m_code.landHere(*end);
  for (auto [result, value] : llvm::zip_equal(op.getResults(), results))
    set(result, value.value);
  return true;
}

/// The body once more, in place.
bool Flattener::call(tile::CallOp op) {
  auto callee = m_module.lookupSymbol<tile::FuncOp>(op.getCallee());
  if (!callee || callee.isExternal() || m_calls.size() >= DeepestCall)
    return unsupported(op);
  mlir::Block &body = callee.getBody().front();
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), op.getOperands()))
    set(argument, get(operand));
  closeStep();
  m_calls.insert(m_calls.begin(), spanOf(op.getLoc()));
  const bool done = block(body);
  m_calls.erase(m_calls.begin());
  if (done)
    for (auto [result, operand] : llvm::zip_equal(op.getResults(), body.getTerminator()->getOperands()))
      set(result, get(operand));
  return done;
}

Flattener::Outcome Flattener::control(mlir::Operation *op) {
  const auto outcome = [](bool done) { return done ? Outcome::Done : Outcome::Failed; };
  return llvm::TypeSwitch<mlir::Operation *, Outcome>(op)
      .Case([&](tile::ForOp op) { return outcome(forLoop(op)); })
      .Case([&](tile::WhileOp op) { return outcome(whileLoop(op)); })
      .Case([&](tile::IfOp op) { return outcome(ifThenElse(op)); })
      .Case([&](tile::CallOp op) { return outcome(call(op)); })
      .Case([&](tile::ReduceOp op) { return outcome(reduce(op)); })
      .Case([&](tile::ScanOp op) { return outcome(scan(op)); })
      .Default([](mlir::Operation *) { return Outcome::NotMine; });
}

} // namespace tilescope::interp
