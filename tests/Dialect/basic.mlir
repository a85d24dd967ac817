// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation prints as it is written, and reads back from both of its forms.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt -mlir-print-op-generic %s | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @kernel(
// CHECK-SAME: %{{.*}}: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x_ptr"}
// CHECK-SAME: attributes {num_stages = 3 : i32, num_warps = 4 : i32, target = "cuda:90"}
tile.func @kernel(%x: !tile.ptr<f32> {tile.name = "x_ptr", tile.divisibility = 16 : i32}, %n: si32 {tile.name = "n"})
    attributes {num_warps = 4 : i32, num_stages = 3 : i32, target = "cuda:90"} {
  // CHECK: %[[PID:.*]] = tile.program_id x
  %pid = tile.program_id x
  // CHECK: tile.num_programs z
  %count = tile.num_programs z
  // CHECK: %[[C128:.*]] = tile.constant 128 : si32
  %size = tile.constant 128 : si32
  // CHECK: tile.mul %[[PID]], %[[C128]] : si32
  %first = tile.mul %pid, %size : si32
  // CHECK: tile.make_range 0 to 128 : !tile.tile<128xsi32>
  %range = tile.make_range 0 to 128 : !tile.tile<128xsi32>
  // CHECK: tile.splat %{{.*}} : si32 -> !tile.tile<128xsi32>
  %start = tile.splat %first : si32 -> !tile.tile<128xsi32>
  %offsets = tile.add %start, %range : !tile.tile<128xsi32>
  %limit = tile.splat %n : si32 -> !tile.tile<128xsi32>
  // CHECK: %[[MASK:.*]] = tile.cmp lt, %{{.*}}, %{{.*}} : !tile.tile<128xsi32>
  %mask = tile.cmp lt, %offsets, %limit : !tile.tile<128xsi32>
  %base = tile.splat %x : !tile.ptr<f32> -> !tile.tile<128x!tile.ptr<f32>>
  // CHECK: %[[PTR:.*]] = tile.addptr %{{.*}}, %{{.*}} : !tile.tile<128x!tile.ptr<f32>>, !tile.tile<128xsi32>
  %pointers = tile.addptr %base, %offsets : !tile.tile<128x!tile.ptr<f32>>, !tile.tile<128xsi32>
  // CHECK: %[[ZERO:.*]] = tile.constant 0.000000e+00 : f32 -> !tile.tile<128xf32>
  %zero = tile.constant 0.0 : f32 -> !tile.tile<128xf32>
  // CHECK: tile.load %[[PTR]] : !tile.tile<128x!tile.ptr<f32>>
  %a = tile.load %pointers : !tile.tile<128x!tile.ptr<f32>>
  // CHECK: tile.load %[[PTR]], %[[MASK]] : !tile.tile<128x!tile.ptr<f32>>
  %b = tile.load %pointers, %mask : !tile.tile<128x!tile.ptr<f32>>
  // CHECK: tile.load %[[PTR]], %[[MASK]], %[[ZERO]] cache = cg eviction = evict_first volatile : !tile.tile<128x!tile.ptr<f32>>
  %c = tile.load %pointers, %mask, %zero cache = cg eviction = evict_first volatile : !tile.tile<128x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} : !tile.ptr<f32>
  %scalar = tile.load %x : !tile.ptr<f32>
  // CHECK: tile.store %[[PTR]], %{{.*}} : !tile.tile<128x!tile.ptr<f32>>
  tile.store %pointers, %a : !tile.tile<128x!tile.ptr<f32>>
  // CHECK: tile.store %[[PTR]], %{{.*}}, %[[MASK]] cache = wt eviction = evict_last : !tile.tile<128x!tile.ptr<f32>>
  tile.store %pointers, %b, %mask cache = wt eviction = evict_last : !tile.tile<128x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw add acq_rel gpu, %[[PTR]], %{{.*}}, %[[MASK]] : !tile.tile<128x!tile.ptr<f32>>
  %old = tile.atomic_rmw add acq_rel gpu, %pointers, %c, %mask : !tile.tile<128x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw xchg relaxed sys, %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %older = tile.atomic_rmw xchg relaxed sys, %x, %scalar : !tile.ptr<f32>
  // CHECK: tile.atomic_cas acquire cta, %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %oldest = tile.atomic_cas acquire cta, %x, %scalar, %scalar : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.func @constants
tile.func @constants() {
  // CHECK: %true = tile.constant true
  %0 = tile.constant true
  // CHECK: %false = tile.constant false -> !tile.tile<8xi1>
  %1 = tile.constant false -> !tile.tile<8xi1>
  // CHECK: %cm1 = tile.constant -1 : si8
  %2 = tile.constant -1 : si8
  // CHECK: %c18446744073709551615 = tile.constant 18446744073709551615 : ui64
  %3 = tile.constant 18446744073709551615 : ui64
  // CHECK: %cst = tile.constant 0x7C00 : f16
  %4 = tile.constant 0x7C00 : f16
  // CHECK: tile.constant 1.500000e+00 : f8E4M3FN -> !tile.tile<2x4xf8E4M3FN>
  %5 = tile.constant 1.5 : f8E4M3FN -> !tile.tile<2x4xf8E4M3FN>
  tile.return
}

// CHECK-LABEL: tile.func @types
// CHECK-SAME: !tile.ptr<f32, shared>, %{{.*}}: !tile.ptr<!tile.ptr<i1>>, %{{.*}}: !tile.tile<1x1xbf16>
tile.func @types(%a: !tile.ptr<f32, shared>, %b: !tile.ptr<!tile.ptr<i1>>, %c: !tile.tile<1x1xbf16>) {
  tile.return
}

// CHECK-LABEL: tile.func @shapes
tile.func @shapes(%scalar: f16, %row: !tile.tile<64xf16>) {
  // CHECK: tile.expand_dims %{{.*}} axis 1 : !tile.tile<64xf16> -> !tile.tile<64x1xf16>
  %0 = tile.expand_dims %row axis 1 : !tile.tile<64xf16> -> !tile.tile<64x1xf16>
  // CHECK: tile.broadcast %{{.*}} : !tile.tile<64x1xf16> -> !tile.tile<64x32xf16>
  %1 = tile.broadcast %0 : !tile.tile<64x1xf16> -> !tile.tile<64x32xf16>
  // CHECK: tile.permute %{{.*}} [1, 0] : !tile.tile<64x32xf16> -> !tile.tile<32x64xf16>
  %2 = tile.permute %1 [1, 0] : !tile.tile<64x32xf16> -> !tile.tile<32x64xf16>
  // CHECK: tile.reshape %{{.*}} allow_reorder : !tile.tile<32x64xf16> -> !tile.tile<2048xf16>
  %3 = tile.reshape %2 allow_reorder : !tile.tile<32x64xf16> -> !tile.tile<2048xf16>
  // CHECK: tile.reshape %{{.*}} : !tile.tile<2048xf16> -> !tile.tile<8x256xf16>
  %4 = tile.reshape %3 : !tile.tile<2048xf16> -> !tile.tile<8x256xf16>
  // CHECK: %[[JOINED:.*]] = tile.join %{{.*}}, %{{.*}} : !tile.tile<64xf16> -> !tile.tile<64x2xf16>
  %5 = tile.join %row, %row : !tile.tile<64xf16> -> !tile.tile<64x2xf16>
  // CHECK: %{{.*}}, %{{.*}} = tile.split %[[JOINED]] : !tile.tile<64x2xf16> -> !tile.tile<64xf16>
  %6, %7 = tile.split %5 : !tile.tile<64x2xf16> -> !tile.tile<64xf16>
  // CHECK: tile.join %{{.*}}, %{{.*}} : f16 -> !tile.tile<2xf16>
  %8 = tile.join %scalar, %scalar : f16 -> !tile.tile<2xf16>
  // CHECK: tile.split %{{.*}} : !tile.tile<2xf16> -> f16
  %9, %10 = tile.split %8 : !tile.tile<2xf16> -> f16
  // CHECK: tile.cat %{{.*}}, %{{.*}} axis 0 : !tile.tile<64xf16> -> !tile.tile<128xf16>
  %11 = tile.cat %row, %row axis 0 : !tile.tile<64xf16> -> !tile.tile<128xf16>
  tile.return
}

// CHECK-LABEL: tile.func @arithmetic
tile.func @arithmetic(%f: !tile.tile<8xf32>, %i: !tile.tile<8xsi32>, %u: ui32, %m: !tile.tile<8xi1>, %p: !tile.ptr<f32>) {
  // CHECK: tile.neg %{{.*}} : !tile.tile<8xf32>
  %0 = tile.neg %f : !tile.tile<8xf32>
  // CHECK: tile.not %{{.*}} : !tile.tile<8xi1>
  %1 = tile.not %m : !tile.tile<8xi1>
  // CHECK: tile.abs %{{.*}} : !tile.tile<8xsi32>
  %2 = tile.abs %i : !tile.tile<8xsi32>
  // CHECK: tile.floor %{{.*}} : !tile.tile<8xf32>
  %3 = tile.floor %f : !tile.tile<8xf32>
  // CHECK: tile.ceil
  %4 = tile.ceil %f : !tile.tile<8xf32>
  // CHECK: tile.trunc
  %5 = tile.trunc %f : !tile.tile<8xf32>
  // CHECK: tile.round
  %6 = tile.round %f : !tile.tile<8xf32>
  // CHECK: tile.sqrt %{{.*}} : !tile.tile<8xf32>
  %7 = tile.sqrt %f : !tile.tile<8xf32>
  // CHECK: tile.sqrt %{{.*}} precise : !tile.tile<8xf32>
  %8 = tile.sqrt %f precise : !tile.tile<8xf32>
  // CHECK: tile.rsqrt
  %9 = tile.rsqrt %f : !tile.tile<8xf32>
  // CHECK: tile.exp %
  %10 = tile.exp %f : !tile.tile<8xf32>
  // CHECK: tile.exp2 %
  %11 = tile.exp2 %f : !tile.tile<8xf32>
  // CHECK: tile.log %
  %12 = tile.log %f : !tile.tile<8xf32>
  // CHECK: tile.log2 %
  %13 = tile.log2 %f : !tile.tile<8xf32>
  // CHECK: tile.sin
  %14 = tile.sin %f : !tile.tile<8xf32>
  // CHECK: tile.cos
  %15 = tile.cos %f : !tile.tile<8xf32>
  // CHECK: tile.tanh
  %16 = tile.tanh %f : !tile.tile<8xf32>
  // CHECK: tile.erf
  %17 = tile.erf %f : !tile.tile<8xf32>
  // CHECK: tile.sub %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %18 = tile.sub %f, %f : !tile.tile<8xf32>
  // CHECK: tile.mulhi %{{.*}}, %{{.*}} : ui32
  %19 = tile.mulhi %u, %u : ui32
  // CHECK: tile.div %{{.*}}, %{{.*}} : ui32
  %20 = tile.div %u, %u : ui32
  // CHECK: tile.div %{{.*}}, %{{.*}} precise : !tile.tile<8xf32>
  %21 = tile.div %f, %f precise : !tile.tile<8xf32>
  // CHECK: tile.rem %{{.*}}, %{{.*}} : !tile.tile<8xsi32>
  %22 = tile.rem %i, %i : !tile.tile<8xsi32>
  // CHECK: tile.and
  %23 = tile.and %m, %m : !tile.tile<8xi1>
  // CHECK: tile.or
  %24 = tile.or %i, %i : !tile.tile<8xsi32>
  // CHECK: tile.xor
  %25 = tile.xor %i, %i : !tile.tile<8xsi32>
  // CHECK: tile.shl
  %26 = tile.shl %i, %i : !tile.tile<8xsi32>
  // CHECK: tile.shr
  %27 = tile.shr %u, %u : ui32
  // CHECK: tile.min %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %28 = tile.min %f, %f : !tile.tile<8xf32>
  // CHECK: tile.max %{{.*}}, %{{.*}} propagate_nan : !tile.tile<8xf32>
  %29 = tile.max %f, %f propagate_nan : !tile.tile<8xf32>
  // CHECK: tile.cmp ne, %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %30 = tile.cmp ne, %p, %p : !tile.ptr<f32>
  // CHECK: tile.select %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %31 = tile.select %m, %f, %0 : !tile.tile<8xf32>
  // CHECK: tile.fma %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %32 = tile.fma %f, %f, %f : !tile.tile<8xf32>
  // CHECK: tile.clamp %{{.*}}, %{{.*}}, %{{.*}} propagate_nan : !tile.tile<8xf32>
  %33 = tile.clamp %f, %f, %f propagate_nan : !tile.tile<8xf32>
  tile.return
}

// CHECK-LABEL: tile.func @casts
tile.func @casts(%f: !tile.tile<8xf32>, %p: !tile.ptr<f32>, %b: i1) {
  // CHECK: tile.cast %{{.*}} : !tile.tile<8xf32> -> !tile.tile<8xsi32>
  %0 = tile.cast %f : !tile.tile<8xf32> -> !tile.tile<8xsi32>
  // CHECK: tile.cast %{{.*}} rounding = rtz : !tile.tile<8xf32> -> !tile.tile<8xbf16>
  %1 = tile.cast %f rounding = rtz : !tile.tile<8xf32> -> !tile.tile<8xbf16>
  // CHECK: tile.cast %{{.*}} saturate : !tile.tile<8xf32> -> !tile.tile<8xf8E5M2>
  %2 = tile.cast %f saturate : !tile.tile<8xf32> -> !tile.tile<8xf8E5M2>
  // CHECK: tile.bitcast %{{.*}} : !tile.tile<8xf32> -> !tile.tile<8xui32>
  %3 = tile.bitcast %f : !tile.tile<8xf32> -> !tile.tile<8xui32>
  // CHECK: tile.bitcast %{{.*}} : !tile.ptr<f32> -> !tile.ptr<si8>
  %4 = tile.bitcast %p : !tile.ptr<f32> -> !tile.ptr<si8>
  // CHECK: %[[INT:.*]] = tile.ptr_to_int %{{.*}} : !tile.ptr<f32> -> si64
  %5 = tile.ptr_to_int %p : !tile.ptr<f32> -> si64
  // CHECK: tile.int_to_ptr %[[INT]] : si64 -> !tile.ptr<f16>
  %6 = tile.int_to_ptr %5 : si64 -> !tile.ptr<f16>
  // CHECK: tile.assert %{{.*}}, "never" : i1
  tile.assert %b, "never" : i1
  // CHECK: tile.assert %{{.*}} mask %{{.*}}, "masked" : i1
  tile.assert %b mask %b, "masked" : i1
  // CHECK: tile.print "x:" hex, %{{.*}}, %{{.*}} : !tile.tile<8xf32>, i1
  tile.print "x:" hex, %f, %b : !tile.tile<8xf32>, i1
  // CHECK: tile.print "here"
  tile.print "here"
  // CHECK: tile.assume %{{.*}}
  tile.assume %b
  tile.return
}

// CHECK-LABEL: tile.func @products
tile.func @products(%a: !tile.tile<64x32xf16>, %b: !tile.tile<32x16xf16>, %c: !tile.tile<64x16xf32>,
                    %d: !tile.tile<4x16x16xsi8>, %e: !tile.tile<4x16x16xsi32>) {
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} tf32 : !tile.tile<64x32xf16>, !tile.tile<32x16xf16> -> !tile.tile<64x16xf32>
  %0 = tile.dot %a, %b, %c tf32 : !tile.tile<64x32xf16>, !tile.tile<32x16xf16> -> !tile.tile<64x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} ieee {max_num_imprecise_acc = 32 : i32} : !tile.tile<4x16x16xsi8>, !tile.tile<4x16x16xsi8> -> !tile.tile<4x16x16xsi32>
  %1 = tile.dot %d, %d, %e ieee {max_num_imprecise_acc = 32 : i32} : !tile.tile<4x16x16xsi8>, !tile.tile<4x16x16xsi8> -> !tile.tile<4x16x16xsi32>
  tile.return
}

// CHECK-LABEL: tile.func private @helper(%{{.*}}: f32) -> f32
tile.func private @helper(%x: f32) -> f32 {
  // CHECK: tile.return %{{.*}} : f32
  tile.return %x : f32
}

// CHECK-LABEL: tile.func @control
tile.func @control(%lo: si32, %hi: si32, %st: si32, %x: f32, %c: i1) {
  // CHECK: tile.call @helper(%{{.*}}) : (f32) -> f32
  %0 = tile.call @helper(%x) : (f32) -> f32
  // CHECK: %[[SUM:.*]]:2 = tile.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (f32, si32) : si32 {
  %1:2 = tile.for %i = %lo to %hi step %st iter_args(%a = %x, %b = %lo) -> (f32, si32) : si32 {
    // CHECK: tile.add %[[A]], %[[A]] : f32
    %2 = tile.add %a, %a : f32
    // CHECK: tile.yield %{{.*}}, %[[I]] : f32, si32
    tile.yield %2, %i : f32, si32
  // CHECK: } {flatten, loop_unroll_factor = 2 : i32, num_stages = 3 : i32}
  } {num_stages = 3 : i32, loop_unroll_factor = 2 : i32, flatten}
  // CHECK: tile.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : si32 {
  tile.for %i = %lo to %hi step %st : si32 {
    // CHECK-NEXT: tile.print "trip"
    tile.print "trip"
    // CHECK-NEXT: }
  }
  // CHECK: tile.if %{{.*}} -> (f32) {
  %3 = tile.if %c -> (f32) {
    // CHECK-NEXT: tile.yield %[[SUM]]#0 : f32
    tile.yield %1#0 : f32
  // CHECK-NEXT: } else {
  } else {
    tile.yield %x : f32
  }
  // CHECK: tile.if %{{.*}} {
  tile.if %c {
    tile.print "then"
  // CHECK: }
  // CHECK-NOT: else
  }
  // CHECK: tile.while (%[[W:.*]] = %{{.*}}) : (si32) -> si32 {
  %4 = tile.while (%w = %lo) : (si32) -> (si32) {
    %5 = tile.cmp lt, %w, %hi : si32
    // CHECK: tile.condition %{{.*}}, %[[W]] : si32
    tile.condition %5, %w : si32
  // CHECK: } do {
  } do {
  // CHECK: ^bb0(%[[V:.*]]: si32):
  ^bb0(%v: si32):
    %6 = tile.add %v, %st : si32
    tile.yield %6 : si32
  }
  tile.return
}

// CHECK-LABEL: tile.func @combining
tile.func @combining(%x: !tile.tile<4x8xf32>, %i: !tile.tile<4x8xsi32>, %row: !tile.tile<8xf32>) {
  // CHECK: tile.reduce %{{.*}} axis 0 : !tile.tile<8xf32> -> f32 {
  %0 = tile.reduce %row axis 0 : !tile.tile<8xf32> -> f32 {
  // CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  ^bb0(%a: f32, %b: f32):
    // CHECK: tile.max %[[A]], %[[B]] : f32
    %c = tile.max %a, %b : f32
    tile.yield %c : f32
  }
  // CHECK: tile.reduce %{{.*}}, %{{.*}} axis 1 : !tile.tile<4x8xf32>, !tile.tile<4x8xsi32> -> !tile.tile<4xf32>, !tile.tile<4xsi32> {
  %1:2 = tile.reduce %x, %i axis 1 : !tile.tile<4x8xf32>, !tile.tile<4x8xsi32> -> !tile.tile<4xf32>, !tile.tile<4xsi32> {
  ^bb0(%a: f32, %i0: si32, %b: f32, %i1: si32):
    %c = tile.cmp ge, %a, %b : f32
    %v = tile.select %c, %a, %b : f32
    %w = tile.select %c, %i0, %i1 : si32
    tile.yield %v, %w : f32, si32
  }
  // CHECK: tile.scan %{{.*}} axis 1 reverse : !tile.tile<4x8xf32> -> !tile.tile<4x8xf32> {
  %2 = tile.scan %x axis 1 reverse : !tile.tile<4x8xf32> -> !tile.tile<4x8xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = tile.add %a, %b : f32
    tile.yield %c : f32
  }
  tile.return
}
