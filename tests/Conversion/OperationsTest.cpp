// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation of the dialect has code, but for those that stage two never leaves. Kernels here have each operation
// once or oftener; what they compute is looked at elsewhere.
#include "tests/Conversion/Translated.h"

#include "compiler/Target/NVPTX/Libdevice.h"

#include <mlir/IR/MLIRContext.h>
#include <mlir/Parser/Parser.h>

#include <gmock/gmock.h>

#include <set>

namespace tilescope::codegen::test {
namespace {

/// Calls are inlined, blocks become tiles of pointers, scaled products become products.
const std::set<std::string> NeverLeft = {"call",        "block_load",   "block_store", "block_gather",
                                         "block_scatter", "block_reduce", "dot_scaled"};

const std::string Layouts = R"(
#line = #tile.layout<64, {register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]}>
#half = #tile.layout<64, {register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]]}>
#pairs = #tile.layout<64x2, {register = [[0, 1], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]}>
#turned = #tile.layout<2x64, {register = [[1, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]}>
#column = #tile.layout<64x1, {register = [[32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]}>
#both = #tile.layout<128, {register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]}>
#rows = #tile.layout<64, {offset = [[1], [2], [4], [8], [16], [32]]}>
#square = #tile.layout<64x2, {offset = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}>
#flat = #tile.layout<2x64, {offset = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}>
#sum = #tile.layout<8x16, {register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[2, 0], [4, 0]]}>
#left = #tile.layout<8x2, {register = [[0, 1]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [1, 0]], warp = [[2, 0], [4, 0]]}>
#right = #tile.layout<2x16, {register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 0]], warp = [[0, 0], [0, 0]]}>
)";

const std::string Arithmetic = R"(
tile.func @k(%x: f32, %y: f32, %i: si32, %j: si32, %u: ui32, %w: si64, %p: !tile.ptr<f32>, %q: !tile.ptr<si32>) attributes {num_warps = 4 : i32} {
  %0 = tile.neg %x : f32
  %1 = tile.not %i : si32
  %2 = tile.abs %x : f32
  %3 = tile.floor %x : f32
  %4 = tile.ceil %x : f32
  %5 = tile.trunc %x : f32
  %6 = tile.round %x : f32
  %7 = tile.sqrt %x : f32
  %8 = tile.rsqrt %x : f32
  %9 = tile.exp %x : f32
  %10 = tile.exp2 %x : f32
  %11 = tile.add %x, %y : f32
  %12 = tile.sub %x, %y : f32
  %13 = tile.mul %x, %y : f32
  %14 = tile.mulhi %i, %j : si32
  %15 = tile.div %x, %y : f32
  %16 = tile.rem %i, %j : si32
  %17 = tile.and %i, %j : si32
  %18 = tile.or %i, %j : si32
  %19 = tile.xor %i, %j : si32
  %20 = tile.shl %u, %u : ui32
  %21 = tile.shr %i, %j : si32
  %22 = tile.min %x, %y : f32
  %23 = tile.max %i, %j : si32
  %24 = tile.cmp lt, %i, %j : si32
  %25 = tile.select %24, %x, %y : f32
  %26 = tile.fma %x, %y, %25 : f32
  %27 = tile.clamp %x, %y, %26 : f32
  %28 = tile.cast %x : f32 -> f16
  %29 = tile.bitcast %x : f32 -> si32
  %30 = tile.int_to_ptr %w : si64 -> !tile.ptr<f32>
  %31 = tile.ptr_to_int %p : !tile.ptr<f32> -> si64
  %32 = tile.addptr %p, %i : !tile.ptr<f32>, si32
  %33 = tile.program_id x
  %34 = tile.num_programs y
  %35 = tile.constant 5 : si32
  tile.assume %24
  %36 = tile.inline_asm "shf.l.wrap.b32 $0, $1, $2, $3;" "=r,r,r,r" pure (%i, %j, %35) : (si32, si32, si32) -> si32
  tile.store %32, %27 : !tile.ptr<f32>
  tile.store %q, %36 : !tile.ptr<si32>
  tile.return
})";

/// These need libdevice.
const std::string Functions = R"(
tile.func @k(%x: f32, %p: !tile.ptr<f32>, %n: si32) attributes {num_warps = 4 : i32} {
  %0 = tile.log %x : f32
  %1 = tile.log2 %x : f32
  %2 = tile.sin %x : f32
  %3 = tile.cos %x : f32
  %4 = tile.tanh %x : f32
  %5 = tile.erf %x : f32
  %6 = tile.extern "__nv_powif"(%x, %n) : (f32, si32) -> f32
  tile.store %p, %6 : !tile.ptr<f32>
  tile.return
})";

const std::string Tiles = R"(
tile.func @k(%x: f32, %p: !tile.ptr<f32>, %q: !tile.ptr<si32>, %c: i1, %n: si32) attributes {num_warps = 4 : i32} {
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %0 = tile.make_range 0 to 64 : !tile.tile<64xsi32, #line>
  %1 = tile.splat %x : f32 -> !tile.tile<64xf32, #line>
  %2 = tile.splat %p : !tile.ptr<f32> -> !tile.tile<64x!tile.ptr<f32>, #line>
  %3 = tile.addptr %2, %0 : !tile.tile<64x!tile.ptr<f32>, #line>, !tile.tile<64xsi32, #line>
  %4 = tile.load %3 : !tile.tile<64x!tile.ptr<f32>, #line>
  %5 = tile.join %4, %1 : !tile.tile<64xf32, #line> -> !tile.tile<64x2xf32, #pairs>
  %6, %7 = tile.split %5 : !tile.tile<64x2xf32, #pairs> -> !tile.tile<64xf32, #line>
  %8 = tile.permute %5 [1, 0] : !tile.tile<64x2xf32, #pairs> -> !tile.tile<2x64xf32, #turned>
  %9 = tile.expand_dims %4 axis 1 : !tile.tile<64xf32, #line> -> !tile.tile<64x1xf32, #column>
  %10 = tile.broadcast %9 : !tile.tile<64x1xf32, #column> -> !tile.tile<64x2xf32, #pairs>
  %11 = tile.reshape %9 : !tile.tile<64x1xf32, #column> -> !tile.tile<64xf32, #line>
  %12 = tile.cat %4, %11 axis 0 : !tile.tile<64xf32, #line> -> !tile.tile<128xf32, #both>
  %13 = tile.convert_layout %4 : !tile.tile<64xf32, #line> -> !tile.tile<64xf32, #half>
  %14 = tile.reduce %10 axis 1 : !tile.tile<64x2xf32, #pairs> -> !tile.tile<64xf32, #line> {
  ^bb0(%a: f32, %b: f32):
    %s = tile.add %a, %b : f32
    tile.yield %s : f32
  }
  %15 = tile.scan %14 axis 0 : !tile.tile<64xf32, #line> -> !tile.tile<64xf32, #line> {
  ^bb0(%a: f32, %b: f32):
    %s = tile.add %a, %b : f32
    tile.yield %s : f32
  }
  %16 = tile.map %15, %4 pack 1 : !tile.tile<64xf32, #line>, !tile.tile<64xf32, #line> -> !tile.tile<64xf32, #line> {
  ^bb0(%a: f32, %b: f32):
    %s = tile.mul %a, %b : f32
    tile.yield %s : f32
  }
  %17 = tile.gather %16[%0] axis 0 : !tile.tile<64xf32, #line>, !tile.tile<64xsi32, #line> -> !tile.tile<64xf32, #line>
  %18 = tile.histogram %0 : !tile.tile<64xsi32, #line> -> !tile.tile<64xsi32, #line>
  %19 = tile.for %i = %zero to %n step %one iter_args(%acc = %17) -> (!tile.tile<64xf32, #line>) : si32 {
    %next = tile.add %acc, %4 : !tile.tile<64xf32, #line>
    tile.yield %next : !tile.tile<64xf32, #line>
  }
  %20 = tile.if %c -> (f32) {
    tile.yield %x : f32
  } else {
    %minus = tile.neg %x : f32
    tile.yield %minus : f32
  }
  %21 = tile.while (%w = %zero) : (si32) -> (si32) {
    %more = tile.cmp lt, %w, %n : si32
    tile.condition %more, %w : si32
  } do {
  ^bb0(%v: si32):
    %next = tile.add %v, %one : si32
    tile.yield %next : si32
  }
  tile.store %3, %19 : !tile.tile<64x!tile.ptr<f32>, #line>
  tile.barrier
  %22 = tile.atomic_rmw add relaxed gpu, %3, %4 : !tile.tile<64x!tile.ptr<f32>, #line>
  %23 = tile.atomic_cas acquire gpu, %q, %zero, %21 : !tile.ptr<si32>
  %24 = tile.atomic_load acquire gpu, %q : !tile.ptr<si32>
  tile.atomic_store release gpu, %q, %21 : !tile.ptr<si32>
  tile.store %p, %20 : !tile.ptr<f32>
  tile.print "x:", %x : f32
  tile.assert %c, "c" : i1
  tile.return
})";

const std::string Shared = R"(
tile.func @k(%p: !tile.ptr<f32>, %i: si32) attributes {num_warps = 4 : i32} {
  %0 = tile.shared_alloc : {shared_offset = 0 : i32} !tile.buffer<64xf32, #rows, 2>
  %1 = tile.shared_slot %0[%i] : !tile.buffer<64xf32, #rows, 2>
  %2 = tile.splat %p : !tile.ptr<f32> -> !tile.tile<64x!tile.ptr<f32>, #line>
  %3 = tile.async_copy %2 into %1 : !tile.tile<64x!tile.ptr<f32>, #line>, !tile.buffer<64xf32, #rows>
  %4 = tile.async_commit %3
  tile.async_wait pending 0
  tile.shared_barrier
  %5 = tile.shared_load %1 : !tile.buffer<64xf32, #rows> -> !tile.tile<64xf32, #line>
  tile.shared_store %5, %1 : !tile.tile<64xf32, #line>, !tile.buffer<64xf32, #rows>
  %6 = tile.shared_alloc : {shared_offset = 512 : i32} !tile.buffer<64x2xf32, #square>
  %7 = tile.shared_permute %6 [1, 0] : !tile.buffer<64x2xf32, #square> -> !tile.buffer<2x64xf32, #flat>
  %8 = tile.shared_load %7 : !tile.buffer<2x64xf32, #flat> -> !tile.tile<2x64xf32, #turned>
  %zero = tile.constant 0.0 : f32 -> !tile.tile<8x16xf32, #sum>
  %a = tile.constant 1.0 : f32 -> !tile.tile<8x2xf32, #left>
  %b = tile.constant 1.0 : f32 -> !tile.tile<2x16xf32, #right>
  %9 = tile.dot %a, %b, %zero ieee : !tile.tile<8x2xf32, #left>, !tile.tile<2x16xf32, #right> -> !tile.tile<8x16xf32, #sum>
  tile.return
})";

struct Kernel {
  const char *name;
  std::string text;
  unsigned capability;   ///< the least that has what it asks for
  bool needsLibdevice = false;
};

std::vector<Kernel> kernels() {
  return {{"arithmetic", Arithmetic, 75}, {"functions", Functions, 75, true}, {"tiles", Layouts + Tiles, 75}, {"shared", Layouts + Shared, 80}};
}

TEST(Operations, AllHaveCode) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  std::set<std::string> translated;
  for (const Kernel &kernel : kernels()) {
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(kernel.text, &context);
    ASSERT_TRUE(module) << kernel.name;
    module->walk([&](mlir::Operation *op) { translated.insert(op->getName().stripDialect().str()); });
    for (unsigned capability : {75u, 80u, 90u, 120u}) {
      if (capability < kernel.capability)
        continue;
      SCOPED_TRACE(kernel.name + std::string(" for sm_") + std::to_string(capability));
      Translated result(*module, {capability});
      EXPECT_THAT(result.unsupported(), testing::IsEmpty());
      if (result.isDone() && (!kernel.needsLibdevice || nvptx::findLibdevice())) {
        EXPECT_EQ(result.assemble(), "");
      }
    }
  }
  for (const mlir::RegisteredOperationName &name : context.getRegisteredOperationsByDialect("tile")) {
    const std::string plain = name.stripDialect().str();
    EXPECT_NE(translated.contains(plain), NeverLeft.contains(plain)) << plain;
  }
}

} // namespace
} // namespace tilescope::codegen::test
