// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a GPU approximates in one instruction, and those of libdevice, chosen as Triton chooses them. Floats of
// 16 bits go through fp32.
#include "compiler/Conversion/TileToLLVM/Operations.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace tilescope::codegen {
namespace {

constexpr float kLog2e = 1.44269504088896340736f;

class Function {
public:
  explicit Function(Emitter &e) : e(e), b(e.b) {}

  llvm::Value *of(tile::ExpOp, llvm::Value *x) {
    if (isDouble(x))
      return libdevice("exp", x);
    return exp2Approx(b.CreateFMul(x, llvm::ConstantFP::get(x->getType(), kLog2e)));
  }
  llvm::Value *of(tile::Exp2Op, llvm::Value *x) { return isDouble(x) ? libdevice("exp2", x) : exp2Approx(x); }
  llvm::Value *of(tile::SqrtOp op, llvm::Value *x) {
    return isDouble(x) || op.getPrecise() ? b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x)
                                          : intrinsic(llvm::Intrinsic::nvvm_sqrt_approx_f, x);
  }
  llvm::Value *of(tile::RsqrtOp, llvm::Value *x) {
    return isDouble(x) ? libdevice("rsqrt", x) : intrinsic(llvm::Intrinsic::nvvm_rsqrt_approx_f, x);
  }
  llvm::Value *of(tile::LogOp, llvm::Value *x) { return libdevice("log", x); }
  llvm::Value *of(tile::Log2Op, llvm::Value *x) { return libdevice("log2", x); }
  llvm::Value *of(tile::SinOp, llvm::Value *x) { return libdevice("sin", x); }
  llvm::Value *of(tile::CosOp, llvm::Value *x) { return libdevice("cos", x); }
  llvm::Value *of(tile::TanhOp, llvm::Value *x) { return libdevice("tanh", x); }
  llvm::Value *of(tile::ErfOp, llvm::Value *x) { return libdevice("erf", x); }

private:
  static bool isDouble(llvm::Value *x) { return x->getType()->isDoubleTy(); }
  llvm::Value *libdevice(const std::string &name, llvm::Value *x) {
    return e.callLibdevice("__nv_" + name + (isDouble(x) ? "" : "f"), x->getType(), {x});
  }
  llvm::Value *intrinsic(llvm::Intrinsic::ID id, llvm::Value *x) { return b.CreateIntrinsic(x->getType(), id, {x}); }
  llvm::Value *exp2Approx(llvm::Value *x) {
    return b.CreateIntrinsic(llvm::Intrinsic::nvvm_ex2_approx, {x->getType()}, {x});
  }

  Emitter &e;
  llvm::IRBuilder<> &b;
};

} // namespace

bool emitMath(Emitter &e, mlir::Operation *op) {
  Function function(e);
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case<tile::ExpOp, tile::Exp2Op, tile::SqrtOp, tile::RsqrtOp, tile::LogOp, tile::Log2Op, tile::SinOp, tile::CosOp,
            tile::TanhOp, tile::ErfOp>([&](auto known) {
        Registers registers;
        for (llvm::Value *x : e.of(known.getOperand())) {
          const bool isNarrow = x->getType()->getPrimitiveSizeInBits() < 32;
          llvm::Value *wide = isNarrow ? e.b.CreateFPExt(x, e.b.getFloatTy()) : x;
          llvm::Value *result = function.of(known, wide);
          registers.push_back(isNarrow ? e.b.CreateFPTrunc(result, x->getType()) : result);
        }
        e.define(known, std::move(registers));
        return true;
      })
      .Default(false);
}

} // namespace tilescope::codegen
