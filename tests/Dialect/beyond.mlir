// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of tensors, functions of elements, atomics in order, scaled products and what comes from outside of the language: each
// prints as it is written, and reads back from both of its forms.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt -mlir-print-op-generic %s | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @blocks
tile.func @blocks(%base: !tile.ptr<f16>, %i: si64, %m: si64, %n: si64, %v: !tile.tile<64x32xf16>, %rows: !tile.tile<64xsi32>) {
  // CHECK: tile.block_load %{{.*}}[%[[I:.*]], %[[I]]] shape %[[M:.*]], %[[N:.*]] strides %[[N]], %[[M]] checked [0, 1] padding = zero : !tile.ptr<f16> -> !tile.tile<64x32xf16>
  %0 = tile.block_load %base[%i, %i] shape %m, %n strides %n, %m checked [0, 1] padding = zero : !tile.ptr<f16> -> !tile.tile<64x32xf16>
  // CHECK: tile.block_load %{{.*}}[%{{.*}}] shape %{{.*}} strides %{{.*}} checked [] cache = cg eviction = evict_last : !tile.ptr<f16> -> !tile.tile<64xf16>
  %1 = tile.block_load %base[%i] shape %m strides %n checked [] cache = cg eviction = evict_last : !tile.ptr<f16> -> !tile.tile<64xf16>
  // CHECK: tile.block_store %{{.*}}[%[[I]], %[[I]]], %[[V:.*]] shape %[[M]], %[[N]] strides %[[N]], %[[M]] checked [1] : !tile.ptr<f16>, !tile.tile<64x32xf16>
  tile.block_store %base[%i, %i], %v shape %m, %n strides %n, %m checked [1] : !tile.ptr<f16>, !tile.tile<64x32xf16>
  // CHECK: tile.block_reduce add, %{{.*}}[%[[I]], %[[I]]], %[[V]] shape %[[M]], %[[N]] strides %[[N]], %[[M]] checked [0, 1] : !tile.ptr<f16>, !tile.tile<64x32xf16>
  tile.block_reduce add, %base[%i, %i], %v shape %m, %n strides %n, %m checked [0, 1] : !tile.ptr<f16>, !tile.tile<64x32xf16>
  // CHECK: tile.block_gather %{{.*}}[%[[ROWS:.*]], %[[I]]] shape %[[M]], %[[N]] strides %[[N]], %[[M]] padding = nan : !tile.ptr<f16>, !tile.tile<64xsi32> -> !tile.tile<64x32xf16>
  %2 = tile.block_gather %base[%rows, %i] shape %m, %n strides %n, %m padding = nan : !tile.ptr<f16>, !tile.tile<64xsi32> -> !tile.tile<64x32xf16>
  // CHECK: tile.block_scatter %{{.*}}[%[[ROWS]], %[[I]]], %[[V]] shape %[[M]], %[[N]] strides %[[N]], %[[M]] : !tile.ptr<f16>, !tile.tile<64xsi32>, !tile.tile<64x32xf16>
  tile.block_scatter %base[%rows, %i], %v shape %m, %n strides %n, %m : !tile.ptr<f16>, !tile.tile<64xsi32>, !tile.tile<64x32xf16>
  tile.return
}

// CHECK-LABEL: tile.func @elements
tile.func @elements(%x: !tile.tile<64xf32>, %k: !tile.tile<32xsi32>, %m: !tile.tile<32xi1>) {
  // CHECK: tile.gather %{{.*}}[%{{.*}}] axis 0 : !tile.tile<64xf32>, !tile.tile<32xsi32> -> !tile.tile<32xf32>
  %0 = tile.gather %x[%k] axis 0 : !tile.tile<64xf32>, !tile.tile<32xsi32> -> !tile.tile<32xf32>
  // CHECK: tile.histogram %{{.*}} : !tile.tile<32xsi32> -> !tile.tile<16xsi32>
  %1 = tile.histogram %k : !tile.tile<32xsi32> -> !tile.tile<16xsi32>
  // CHECK: tile.histogram %{{.*}}, %{{.*}} : !tile.tile<32xsi32> -> !tile.tile<16xsi32>
  %2 = tile.histogram %k, %m : !tile.tile<32xsi32> -> !tile.tile<16xsi32>
  // CHECK: tile.map %[[X:.*]], %[[X]] pack 2 : !tile.tile<64xf32>, !tile.tile<64xf32> -> !tile.tile<64xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
  // CHECK-NEXT: tile.yield %[[B]], %[[A]] : f32, f32
  %3 = tile.map %x, %x pack 2 : !tile.tile<64xf32>, !tile.tile<64xf32> -> !tile.tile<64xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tile.yield %b, %a : f32, f32
  }
  tile.return
}

// CHECK-LABEL: tile.func @atomics
tile.func @atomics(%p: !tile.tile<64x!tile.ptr<f32>>, %v: !tile.tile<64xf32>, %m: !tile.tile<64xi1>) {
  // CHECK: tile.atomic_load acquire gpu, %[[P:.*]], %[[M:.*]] : !tile.tile<64x!tile.ptr<f32>>
  %0 = tile.atomic_load acquire gpu, %p, %m : !tile.tile<64x!tile.ptr<f32>>
  // CHECK: tile.atomic_load relaxed sys, %[[P]] : !tile.tile<64x!tile.ptr<f32>>
  %1 = tile.atomic_load relaxed sys, %p : !tile.tile<64x!tile.ptr<f32>>
  // CHECK: tile.atomic_store release cta, %[[P]], %{{.*}}, %[[M]] : !tile.tile<64x!tile.ptr<f32>>
  tile.atomic_store release cta, %p, %v, %m : !tile.tile<64x!tile.ptr<f32>>
  // CHECK: tile.barrier
  tile.barrier
  tile.return
}

// CHECK-LABEL: tile.func @scaled
tile.func @scaled(%a: !tile.tile<128x32xui8>, %sa: !tile.tile<128x2xui8>, %b: !tile.tile<64x64xf8E4M3FN>, %sb: !tile.tile<64x2xui8>,
                  %h: !tile.tile<128x64xf16>, %c: !tile.tile<128x64xf32>) {
  // CHECK: tile.dot_scaled %{{.*}} e2m1 scale %{{.*}} : !tile.tile<128x2xui8>, %{{.*}} e4m3 scale %{{.*}} : !tile.tile<64x2xui8>, %{{.*}} fast_math : !tile.tile<128x32xui8>, !tile.tile<64x64xf8E4M3FN> -> !tile.tile<128x64xf32>
  %0 = tile.dot_scaled %a e2m1 scale %sa : !tile.tile<128x2xui8>, %b e4m3 scale %sb : !tile.tile<64x2xui8>, %c fast_math
    : !tile.tile<128x32xui8>, !tile.tile<64x64xf8E4M3FN> -> !tile.tile<128x64xf32>
  // CHECK: tile.dot_scaled %{{.*}} fp16, %{{.*}} e4m3, %{{.*}} : !tile.tile<128x64xf16>, !tile.tile<64x64xf8E4M3FN> -> !tile.tile<128x64xf32>
  %1 = tile.dot_scaled %h fp16, %b e4m3, %c : !tile.tile<128x64xf16>, !tile.tile<64x64xf8E4M3FN> -> !tile.tile<128x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @foreign
tile.func @foreign(%x: !tile.tile<64xf32>, %n: !tile.tile<64xsi32>) {
  // CHECK: tile.extern "__nv_powif"(%{{.*}}, %{{.*}}) : (!tile.tile<64xf32>, !tile.tile<64xsi32>) -> !tile.tile<64xf32>
  %0 = tile.extern "__nv_powif"(%x, %n) : (!tile.tile<64xf32>, !tile.tile<64xsi32>) -> !tile.tile<64xf32>
  // CHECK: tile.inline_asm "brev.b32 $0, $1;" "=r,r" pure(%{{.*}}) : (!tile.tile<64xsi32>) -> !tile.tile<64xsi32>
  %1 = tile.inline_asm "brev.b32 $0, $1;" "=r,r" pure (%n) : (!tile.tile<64xsi32>) -> !tile.tile<64xsi32>
  // CHECK: tile.inline_asm "mov.u32 $0, %smid;" "=r"() : () -> si32
  %2 = tile.inline_asm "mov.u32 $0, %smid;" "=r" () : () -> si32
  tile.return
}
