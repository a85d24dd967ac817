// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Frontend/TritonNames.h"

#include "compiler/Dialect/Tile/IR/Tile.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/TypeSwitch.h>

namespace tilescope::frontend::test {

namespace {

/// An operation over elements of a kind: `f` floats, `s` signed ints, `u` unsigned ones and i1, `*` any
/// other.
struct Row {
  llvm::StringRef ours;
  char kind;
  llvm::StringRef triton; ///< empty: Triton has no operation here
};

constexpr Row rows[] = {
    {"add", 'f', "arith.addf"},
    {"add", '*', "arith.addi"},
    {"sub", 'f', "arith.subf"},
    {"sub", '*', "arith.subi"},
    {"mul", 'f', "arith.mulf"},
    {"mul", '*', "arith.muli"},
    {"div", 'f', "arith.divf"},
    {"div", 's', "arith.divsi"},
    {"div", 'u', "arith.divui"},
    {"rem", 'f', "arith.remf"},
    {"rem", 's', "arith.remsi"},
    {"rem", 'u', "arith.remui"},
    {"and", '*', "arith.andi"},
    {"or", '*', "arith.ori"},
    {"xor", '*', "arith.xori"},
    {"not", '*', "arith.xori"}, // with a constant of ones
    {"shl", '*', "arith.shli"},
    {"shr", 's', "arith.shrsi"},
    {"shr", 'u', "arith.shrui"},
    {"neg", 'f', "arith.negf"},
    {"neg", '*', "arith.subi"}, // from a constant zero
    {"abs", 'f', "math.absf"},
    {"abs", 's', "math.absi"},
    {"abs", 'u', ""}, // an unsigned number is its own absolute value
    {"floor", '*', "math.floor"},
    {"ceil", '*', "math.ceil"},
    {"sqrt", '*', "math.sqrt"},
    {"rsqrt", '*', "math.rsqrt"},
    {"exp", '*', "math.exp"},
    {"exp2", '*', "math.exp2"},
    {"log", '*', "math.log"},
    {"log2", '*', "math.log2"},
    {"sin", '*', "math.sin"},
    {"cos", '*', "math.cos"},
    {"erf", '*', "math.erf"},
    {"fma", '*', "math.fma"},
    {"mulhi", '*', "tt.mulhiui"},
    {"select", '*', "arith.select"},
    {"bitcast", '*', "tt.bitcast"},
    {"int_to_ptr", '*', "tt.int_to_ptr"},
    {"ptr_to_int", '*', "tt.ptr_to_int"},
    {"addptr", '*', "tt.addptr"},
    {"broadcast", '*', "tt.broadcast"},
    {"reshape", '*', "tt.reshape"},
    {"join", '*', "tt.join"},
    {"split", '*', "tt.split"},
    {"cat", '*', "tt.cat"},
    {"histogram", '*', "tt.histogram"},
    {"barrier", '*', "ttg.barrier"},
    {"assume", '*', "llvm.intr.assume"},
    {"map", '*', "tt.map_elementwise"},
    {"dot_scaled", '*', "tt.dot_scaled"},
    {"cast", '*', ""}, // between signs
    {"constant", '*', ""},
    {"splat", '*', ""},
    {"func", '*', ""},
    {"return", '*', ""},
    {"yield", '*', ""},
    {"assert", '*', ""}, // Triton leaves it out unless asked to debug; here it is always checked
};

char kindOf(mlir::Type type) {
  mlir::Type element = tile::elementTypeOf(type);
  return tile::isFloat(element) ? 'f' : tile::isSigned(element) ? 's' : tile::isInteger(element) ? 'u' : '*';
}

char kindOf(mlir::Operation *op) { return op->getNumOperands() ? kindOf(op->getOperand(0).getType()) : '*'; }

std::string words(std::initializer_list<std::string> parts) {
  std::string result;
  for (const std::string &part : parts)
    if (!part.empty())
      result += (result.empty() ? "" : " ") + part;
  return result;
}

std::string cast(tile::CastOp op) {
  mlir::Type from = tile::elementTypeOf(op.getOperand().getType()), to = tile::elementTypeOf(op.getType());
  unsigned before = tile::bitWidthOf(from), after = tile::bitWidthOf(to);
  char source = kindOf(from), target = kindOf(to);
  // Triton goes from 16 bits by way of fp32, which is exact.
  const std::string widened = source == 'f' && before == 16 ? "arith.extf; " : "";
  if (tile::isBoolean(to))
    return source == 'f' ? widened + "arith.cmpf une" : "arith.cmpi ne";
  if (source == 'f' && target == 'f') {
    const bool rounds = before > after;
    const bool isOther = before == 8 || after == 8 || before == after;
    if (isOther || op.getRounding() != tile::Rounding::NearestEven)
      return words(
          {"tt.fp_to_fp", rounds || before == after ? tile::stringifyRounding(op.getRounding()).str() : ""});
    return rounds ? "arith.truncf" : after == 64 ? widened + "arith.extf" : "arith.extf";
  }
  if (source == 'f')
    return widened + (target == 's' ? "arith.fptosi" : "arith.fptoui");
  if (target == 'f')
    return source == 's' ? "arith.sitofp" : "arith.uitofp";
  if (before == after) // the sign is of no account in Triton's types
    return {};
  return before > after ? "arith.trunci" : source == 's' ? "arith.extsi" : "arith.extui";
}

std::string compare(tile::CmpOp op) {
  static constexpr llvm::StringRef names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  const std::string name = names[static_cast<size_t>(op.getPredicate())].str();
  const bool ordered = name != "eq" && name != "ne";
  switch (kindOf(op)) {
  case 'f':
    return "arith.cmpf " + std::string(name == "ne" ? "u" : "o") + name;
  case 's':
    return "arith.cmpi " + std::string(ordered ? "s" : "") + name;
  default:
    return "arith.cmpi " + std::string(ordered ? "u" : "") + name;
  }
}

std::string extremum(mlir::Operation *op, const std::string &name) {
  switch (kindOf(op)) {
  case 'f':
    return "arith." + name + (op->hasAttr("propagate_nan") ? "imumf" : "numf");
  case 's':
    return "arith." + name + "si";
  default:
    return "arith." + name + "ui";
  }
}

/// A reduction that only takes the one element there is is tl.tensor.item.
std::string reduction(tile::ReduceOp op) {
  const bool takesOne = llvm::isa<mlir::BlockArgument>(op.combinerBlock()->getTerminator()->getOperand(0));
  return takesOne ? "tt.unsplat" : words({"tt.reduce", std::to_string(op.getAxis())});
}

std::string cacheOf(tile::Cache cache) {
  return cache == tile::Cache::None ? "" : tile::stringifyCache(cache).str();
}
std::string evictionOf(tile::Eviction eviction) {
  return eviction == tile::Eviction::Normal ? "" : tile::stringifyEviction(eviction).str();
}

std::string atomic(tile::AtomicRmwOp op) {
  std::string kind = tile::stringifyAtomicKind(op.getKind()).str();
  const char element = kindOf(op.getValue().getType());
  if (op.getKind() == tile::AtomicKind::Exchange)
    kind = "exch";
  else if (element == 'f' && op.getKind() == tile::AtomicKind::Add)
    kind = "fadd";
  else if (element == 'u' && (op.getKind() == tile::AtomicKind::Max || op.getKind() == tile::AtomicKind::Min))
    kind = "u" + kind;
  return words({"tt.atomic_rmw", kind, tile::stringifyMemoryOrder(op.getOrder()).str(),
                tile::stringifyMemoryScope(op.getScope()).str()});
}

std::string numbers(llvm::ArrayRef<int32_t> values) {
  return llvm::join(llvm::map_range(values, [](int32_t v) { return std::to_string(v); }), ",");
}

/// Operations whose attributes count, several between semicolons; nothing for those in the table.
std::string withAttributes(mlir::Operation *op) {
  using namespace tile;
  return llvm::TypeSwitch<mlir::Operation *, std::string>(op)
      .Case([](CastOp op) { return cast(op); })
      .Case([](CmpOp op) { return compare(op); })
      .Case([](MinOp op) { return extremum(op, "min"); })
      .Case([](MaxOp op) { return extremum(op, "max"); })
      .Case([](ClampOp op) { return words({"tt.clampf", op.getPropagateNan() ? "all" : "none"}); })
      .Case([](DivOp op) { return std::string(op.getPrecise() ? "tt.precise_divf" : ""); })
      .Case([](SqrtOp op) { return std::string(op.getPrecise() ? "tt.precise_sqrt" : ""); })
      .Case([](ReduceOp op) { return reduction(op); })
      .Case([](ScanOp op) {
        return words({"tt.scan", std::to_string(op.getAxis()), op.getReverse() ? "true" : ""});
      })
      .Case([](PermuteOp op) { return words({"tt.trans", numbers(op.getOrder())}); })
      .Case([](ExpandDimsOp op) { return words({"tt.expand_dims", std::to_string(op.getAxis())}); })
      .Case([](GatherOp op) { return words({"tt.gather", std::to_string(op.getAxis())}); })
      .Case([](MakeRangeOp op) {
        return words({"tt.make_range", std::to_string(static_cast<int32_t>(op.getStart())),
                      std::to_string(static_cast<int32_t>(op.getEnd()))});
      })
      .Case([](ProgramIdOp op) { return words({"tt.get_program_id", stringifyAxis(op.getAxis()).str()}); })
      .Case(
          [](NumProgramsOp op) { return words({"tt.get_num_programs", stringifyAxis(op.getAxis()).str()}); })
      .Case([](LoadOp op) {
        return words({"tt.load", cacheOf(op.getCache()), evictionOf(op.getEviction()),
                      op.getIsVolatile() ? "true" : ""});
      })
      .Case([](StoreOp op) {
        return words({"tt.store", cacheOf(op.getCache()), evictionOf(op.getEviction())});
      })
      .Case([](AtomicRmwOp op) { return atomic(op); })
      .Case<AtomicCasOp, AtomicLoadOp, AtomicStoreOp>([](auto op) {
        return words({"tt." + op->getName().stripDialect().str(), stringifyMemoryOrder(op.getOrder()).str(),
                      stringifyMemoryScope(op.getScope()).str()});
      })
      .Case([](DotOp op) {
        const bool isExact = op.getInputPrecision() == InputPrecision::Ieee;
        const uint32_t most = op.getMaxNumImpreciseAcc();
        return words({"tt.dot", isExact ? "" : stringifyInputPrecision(op.getInputPrecision()).str(),
                      most && most != uint32_t(1) << 30 ? std::to_string(most) : ""});
      })
      .Case([](ExternOp op) { return words({"tt.extern_elementwise", op.getSymbol().str()}); })
      .Case([](PrintOp op) { return words({"tt.print", op.getHex() ? "true" : ""}); })
      .Default([](mlir::Operation *) { return std::string(); });
}

std::string tritonName(mlir::Operation *op) {
  if (std::string name = withAttributes(op); !name.empty())
    return name;
  const llvm::StringRef ours = op->getName().stripDialect();
  for (const Row &row : rows)
    if (row.ours == ours && (row.kind == '*' || row.kind == kindOf(op)))
      return row.triton.str();
  return "tile." + ours.str();
}

} // namespace

std::map<std::string, int> tritonOperations(mlir::ModuleOp module) {
  std::map<std::string, int> result;
  module.walk([&](mlir::Operation *op) {
    // An identity gives a value a second name, for which Triton needs no operation.
    auto bitcast = llvm::dyn_cast<tile::BitcastOp>(op);
    if (llvm::isa<mlir::ModuleOp>(op) || (bitcast && bitcast.getOperand().getType() == bitcast.getType()))
      return;
    llvm::SmallVector<llvm::StringRef> names;
    const std::string all = tritonName(op);
    llvm::StringRef(all).split(names, "; ", -1, /*KeepEmpty=*/false);
    for (llvm::StringRef name : names)
      ++result[name.str()];
  });
  return result;
}

} // namespace tilescope::frontend::test
