// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders and canonical forms. Expected values were worked out by hand from the descriptions of the operations.
// RUN: tile-opt -canonicalize -split-input-file %s | FileCheck %s

// CHECK-LABEL: @neutral_elements(
// CHECK-SAME: %[[I:.*]]: si32, %[[F:.*]]: f32)
tile.func private @neutral_elements(%i: si32, %f: f32) -> (si32, si32, si32, si32, f32, f32, f32) {
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %fone = tile.constant 1.0 : f32
  %fzero = tile.constant 0.0 : f32
  %0 = tile.add %zero, %i : si32
  %1 = tile.mul %i, %one : si32
  %2 = tile.div %i, %one : si32
  %3 = tile.xor %i, %zero : si32
  %4 = tile.mul %fone, %f : f32
  %5 = tile.sub %f, %fzero : f32
  // -0.0 + 0.0 is +0.0: the sum stays.
  // CHECK: %[[SUM:.*]] = tile.add %[[F]], %{{.*}} : f32
  %6 = tile.add %f, %fzero : f32
  // CHECK: tile.return %[[I]], %[[I]], %[[I]], %[[I]], %[[F]], %[[F]], %[[SUM]]
  tile.return %0, %1, %2, %3, %4, %5, %6 : si32, si32, si32, si32, f32, f32, f32
}

// -----

// CHECK-LABEL: @integers_by_sign
tile.func private @integers_by_sign() -> (si8, ui8, si32, si32, ui32, i1, i1, si8) {
  // CHECK-DAG: %[[QUOTIENT:.*]] = tile.constant -1 : si8
  %m7 = tile.constant -7 : si8
  %4 = tile.constant 4 : si8
  %0 = tile.div %m7, %4 : si8
  // 249 / 4
  // CHECK-DAG: %[[UNSIGNED:.*]] = tile.constant 62 : ui8
  %u249 = tile.constant 249 : ui8
  %u4 = tile.constant 4 : ui8
  %1 = tile.div %u249, %u4 : ui8
  // CHECK-DAG: %[[REMAINDER:.*]] = tile.constant -3 : si32
  %m7w = tile.constant -7 : si32
  %fourw = tile.constant 4 : si32
  %2 = tile.rem %m7w, %fourw : si32
  // 2^31 - 1 + 1 wraps
  // CHECK-DAG: %[[WRAPPED:.*]] = tile.constant -2147483648 : si32
  %greatest = tile.constant 2147483647 : si32
  %onew = tile.constant 1 : si32
  %3 = tile.add %greatest, %onew : si32
  // CHECK-DAG: %[[HIGH:.*]] = tile.constant 1 : ui32
  %big = tile.constant 2147483648 : ui32
  %two = tile.constant 2 : ui32
  %5 = tile.mulhi %big, %two : ui32
  // CHECK-DAG: %true = tile.constant true
  %6 = tile.cmp lt, %m7, %4 : si8
  // CHECK-DAG: %false = tile.constant false
  %7 = tile.cmp lt, %u249, %u4 : ui8
  // A shift by the width or more leaves the sign.
  %100 = tile.constant 100 : si8
  %8 = tile.shr %m7, %100 : si8
  // CHECK: tile.return %[[QUOTIENT]], %[[UNSIGNED]], %[[REMAINDER]], %[[WRAPPED]], %[[HIGH]], %true, %false, %[[QUOTIENT]]
  tile.return %0, %1, %2, %3, %5, %6, %7, %8 : si8, ui8, si32, si32, ui32, i1, i1, si8
}

// -----

// CHECK-LABEL: @division_by_zero_stays
tile.func private @division_by_zero_stays() -> (si32, si32) {
  %1 = tile.constant 1 : si32
  %0 = tile.constant 0 : si32
  // CHECK: tile.div
  %q = tile.div %1, %0 : si32
  // CHECK: tile.rem
  %r = tile.rem %1, %0 : si32
  tile.return %q, %r : si32, si32
}

// -----

// CHECK-LABEL: @nan
tile.func private @nan(%x: f32) -> (i1, i1, f32, f32, i1) {
  %nan = tile.constant 0x7FC00000 : f32
  %one = tile.constant 1.0 : f32
  // CHECK-DAG: %true = tile.constant true
  %0 = tile.cmp ne, %nan, %nan : f32
  // CHECK-DAG: %false = tile.constant false
  %1 = tile.cmp ge, %nan, %one : f32
  // CHECK-DAG: %[[ONE:.*]] = tile.constant 1.000000e+00 : f32
  %2 = tile.max %nan, %one : f32
  // CHECK-DAG: %[[NAN:.*]] = tile.constant 0x7FC00000 : f32
  %3 = tile.max %nan, %one propagate_nan : f32
  // x may be NaN.
  // CHECK: %[[SELF:.*]] = tile.cmp eq
  %4 = tile.cmp eq, %x, %x : f32
  // CHECK: tile.return %true, %false, %[[ONE]], %[[NAN]], %[[SELF]]
  tile.return %0, %1, %2, %3, %4 : i1, i1, f32, f32, i1
}

// -----

// CHECK-LABEL: @casts_of_constants
tile.func private @casts_of_constants() -> (si8, ui32, f32, f16, bf16, si32, si32, i1, ui32) {
  // CHECK-DAG: %[[LOW:.*]] = tile.constant 44 : si8
  %300 = tile.constant 300 : si32
  %0 = tile.cast %300 : si32 -> si8
  // CHECK-DAG: %[[EXTENDED:.*]] = tile.constant 4294967295 : ui32
  %m1 = tile.constant -1 : si8
  %1 = tile.cast %m1 : si8 -> ui32
  // 2^24 + 1 lies between two floats and goes to the even one.
  // CHECK-DAG: %[[EVEN:.*]] = tile.constant 0x4B800000 : f32
  %odd = tile.constant 16777217 : si32
  %2 = tile.cast %odd : si32 -> f32
  // CHECK-DAG: %[[INF:.*]] = tile.constant 0x7C00 : f16
  %large = tile.constant 65520.0 : f32
  %3 = tile.cast %large : f32 -> f16
  // 1 + 2^-8 + 2^-9 in bf16, down
  // CHECK-DAG: %[[DOWN:.*]] = tile.constant 1.000000e+00 : bf16
  %fine = tile.constant 1.005859375 : f32
  %4 = tile.cast %fine rounding = rtz : f32 -> bf16
  // CHECK-DAG: %[[TOWARDZERO:.*]] = tile.constant -2 : si32
  %m29 = tile.constant -2.9 : f32
  %5 = tile.cast %m29 : f32 -> si32
  // CHECK-DAG: %[[GREATEST:.*]] = tile.constant 2147483647 : si32
  %huge = tile.constant 1.0e20 : f32
  %6 = tile.cast %huge : f32 -> si32
  // CHECK-DAG: %true = tile.constant true
  %nan = tile.constant 0x7FC00000 : f32
  %7 = tile.cast %nan : f32 -> i1
  // CHECK-DAG: %[[NONE:.*]] = tile.constant 0 : ui32
  %8 = tile.cast %m29 : f32 -> ui32
  // CHECK: tile.return %[[LOW]], %[[EXTENDED]], %[[EVEN]], %[[INF]], %[[DOWN]], %[[TOWARDZERO]], %[[GREATEST]], %true, %[[NONE]]
  tile.return %0, %1, %2, %3, %4, %5, %6, %7, %8 : si8, ui32, f32, f16, bf16, si32, si32, i1, ui32
}

// -----

// CHECK-LABEL: @casts_of_casts(
// CHECK-SAME: %[[H:.*]]: f16, %[[F:.*]]: f32, %[[S:.*]]: si8, %[[W:.*]]: si32)
tile.func private @casts_of_casts(%h: f16, %f: f32, %s: si8, %w: si32) -> (f16, bf16, si64, f32, si32, ui8) {
  %0 = tile.cast %h : f16 -> f32
  %1 = tile.cast %0 : f32 -> f16
  // CHECK: %[[BRAIN:.*]] = tile.cast %[[H]] rounding = rtz : f16 -> bf16
  %2 = tile.cast %0 rounding = rtz : f32 -> bf16
  %3 = tile.cast %s : si8 -> si16
  // CHECK: %[[WIDE:.*]] = tile.cast %[[S]] : si8 -> si64
  %4 = tile.cast %3 : si16 -> si64
  // Rounded once to f16: that stays.
  // CHECK: %[[NARROW:.*]] = tile.cast %[[F]] : f32 -> f16
  // CHECK: %[[AGAIN:.*]] = tile.cast %[[NARROW]] : f16 -> f32
  %5 = tile.cast %f : f32 -> f16
  %6 = tile.cast %5 : f16 -> f32
  // The low bits only: that stays too.
  // CHECK: %[[BYTE:.*]] = tile.cast %[[W]] : si32 -> si8
  // CHECK: %[[SIGNED:.*]] = tile.cast %[[BYTE]] : si8 -> si32
  %7 = tile.cast %w : si32 -> si8
  %8 = tile.cast %7 : si8 -> si32
  // CHECK: %[[BITS:.*]] = tile.bitcast %[[S]] : si8 -> ui8
  %9 = tile.bitcast %s : si8 -> f8E5M2
  %10 = tile.bitcast %9 : f8E5M2 -> ui8
  // CHECK: tile.return %[[H]], %[[BRAIN]], %[[WIDE]], %[[AGAIN]], %[[SIGNED]], %[[BITS]]
  tile.return %1, %2, %4, %6, %8, %10 : f16, bf16, si64, f32, si32, ui8
}

// -----

// CHECK-LABEL: @splats(
// CHECK-SAME: %[[X:.*]]: f32, %[[ROW:.*]]: !tile.tile<1x1x8xf32>)
tile.func private @splats(%x: f32, %row: !tile.tile<1x1x8xf32>) -> (!tile.tile<4x8xf32>, !tile.tile<4x2x8xf32>, !tile.tile<16xsi32>, !tile.tile<4xi1>) {
  %0 = tile.splat %x : f32 -> !tile.tile<4x1xf32>
  // CHECK: %[[SPLAT:.*]] = tile.splat %[[X]] : f32 -> !tile.tile<4x8xf32>
  %1 = tile.broadcast %0 : !tile.tile<4x1xf32> -> !tile.tile<4x8xf32>
  %2 = tile.broadcast %row : !tile.tile<1x1x8xf32> -> !tile.tile<1x2x8xf32>
  // CHECK: %[[WIDE:.*]] = tile.broadcast %[[ROW]] : !tile.tile<1x1x8xf32> -> !tile.tile<4x2x8xf32>
  %3 = tile.broadcast %2 : !tile.tile<1x2x8xf32> -> !tile.tile<4x2x8xf32>
  // A splat of a constant is a constant, whatever is done to its shape.
  %five = tile.constant 5 : si32
  %4 = tile.splat %five : si32 -> !tile.tile<4xsi32>
  %5 = tile.expand_dims %4 axis 1 : !tile.tile<4xsi32> -> !tile.tile<4x1xsi32>
  %6 = tile.broadcast %5 : !tile.tile<4x1xsi32> -> !tile.tile<4x4xsi32>
  %7 = tile.permute %6 [1, 0] : !tile.tile<4x4xsi32> -> !tile.tile<4x4xsi32>
  %8 = tile.reshape %7 : !tile.tile<4x4xsi32> -> !tile.tile<16xsi32>
  %9 = tile.add %8, %8 : !tile.tile<16xsi32>
  %10 = tile.cmp eq, %4, %4 : !tile.tile<4xsi32>
  // CHECK: tile.return %[[SPLAT]], %[[WIDE]], %c10, %true
  tile.return %1, %3, %9, %10 : !tile.tile<4x8xf32>, !tile.tile<4x2x8xf32>, !tile.tile<16xsi32>, !tile.tile<4xi1>
}

// -----

// CHECK-LABEL: @pointers(
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>)
tile.func private @pointers(%p: !tile.ptr<f32>) -> (!tile.ptr<f32>, !tile.ptr<f32>) {
  %zero = tile.constant 0 : si64
  %0 = tile.addptr %p, %zero : !tile.ptr<f32>, si64
  %1 = tile.ptr_to_int %p : !tile.ptr<f32> -> ui64
  %2 = tile.int_to_ptr %1 : ui64 -> !tile.ptr<f32>
  // CHECK-NEXT: tile.return %[[P]], %[[P]]
  tile.return %0, %2 : !tile.ptr<f32>, !tile.ptr<f32>
}

// -----

// What nobody uses goes, but for what writes, prints or may stop.
// CHECK-LABEL: @dead_operations
tile.func @dead_operations(%p: !tile.ptr<f32>, %c: i1) {
  // CHECK-NEXT: tile.load %{{.*}} volatile
  // CHECK-NEXT: tile.print
  // CHECK-NEXT: tile.assert
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.return
  %0 = tile.load %p : !tile.ptr<f32>
  %1 = tile.load %p volatile : !tile.ptr<f32>
  %2 = tile.exp %0 : f32
  tile.print "kept"
  tile.assert %c, "kept" : i1
  tile.store %p, %1 : !tile.ptr<f32>
  %3 = tile.select %c, %2, %2 : f32
  tile.return
}

// -----

// CHECK-LABEL: @join_and_split(
// CHECK-SAME: %[[A:.*]]: !tile.tile<4xf32>, %[[B:.*]]: !tile.tile<4xf32>)
tile.func private @join_and_split(%a: !tile.tile<4xf32>, %b: !tile.tile<4xf32>) -> (!tile.tile<4xf32>, !tile.tile<4xf32>) {
  %0 = tile.join %a, %b : !tile.tile<4xf32> -> !tile.tile<4x2xf32>
  %1, %2 = tile.split %0 : !tile.tile<4x2xf32> -> !tile.tile<4xf32>
  // CHECK-NEXT: tile.return %[[B]], %[[A]]
  tile.return %2, %1 : !tile.tile<4xf32>, !tile.tile<4xf32>
}
