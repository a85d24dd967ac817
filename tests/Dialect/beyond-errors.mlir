// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifiers of the operations of beyond.mlir say.
// RUN: tile-opt -verify-diagnostics -split-input-file %s

tile.func @f(%p: !tile.ptr<f16>, %i: si64) {
  // expected-error @below {{has 1 offsets for a block of rank 2}}
  %0 = tile.block_load %p[%i] shape %i, %i strides %i, %i checked [] : !tile.ptr<f16> -> !tile.tile<8x8xf16>
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<f16>, %i: si64) {
  // expected-error @below {{has 1 strides for a block of rank 2}}
  %0 = tile.block_load %p[%i, %i] shape %i, %i strides %i checked [] : !tile.ptr<f16> -> !tile.tile<8x8xf16>
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<f16>, %i: si64) {
  // expected-error @below {{checked [1, 0] are not ascending dimensions below 2}}
  %0 = tile.block_load %p[%i, %i] shape %i, %i strides %i, %i checked [1, 0] : !tile.ptr<f16> -> !tile.tile<8x8xf16>
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<f16>, %i: si64) {
  // expected-error @below {{block is of 'f32', the tensor of 'f16'}}
  %0 = tile.block_load %p[%i] shape %i strides %i checked [0] : !tile.ptr<f16> -> !tile.tile<8xf32>
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<si32>, %i: si64) {
  // expected-error @below {{elements of 'si32' have no NaN to pad with}}
  %0 = tile.block_load %p[%i] shape %i strides %i checked [0] padding = nan : !tile.ptr<si32> -> !tile.tile<8xsi32>
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<f32>, %i: si64, %v: !tile.tile<8xf32>) {
  // expected-error @below {{cannot exchange}}
  tile.block_reduce xchg, %p[%i], %v shape %i strides %i checked [0] : !tile.ptr<f32>, !tile.tile<8xf32>
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<f32>, %i: si64, %r: !tile.tile<4xsi32>) {
  // expected-error @below {{4 rows do not give a block of 8x8}}
  %0 = tile.block_gather %p[%r, %i] shape %i, %i strides %i, %i : !tile.ptr<f32>, !tile.tile<4xsi32> -> !tile.tile<8x8xf32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<8x4xf32>, %i: !tile.tile<2x2xsi32>) {
  // expected-error @below {{source has shape 8x4, the indices 2x2: they may differ along axis 0 only}}
  %0 = tile.gather %x[%i] axis 0 : !tile.tile<8x4xf32>, !tile.tile<2x2xsi32> -> !tile.tile<2x2xf32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<8xf32>) {
  // expected-error @below {{counts integers, not 'f32'}}
  %0 = tile.histogram %x : !tile.tile<8xf32> -> !tile.tile<8xsi32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<8xf32>) {
  // expected-error @below {{pack of 16 does not divide 8 elements}}
  %0 = tile.map %x pack 16 : !tile.tile<8xf32> -> !tile.tile<8xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<8xf32>) {
  // expected-error @below {{yielded values and packed results differ at 0: 'i1' and 'f32'}}
  %0 = tile.map %x pack 1 : !tile.tile<8xf32> -> !tile.tile<8xf32> {
  ^bb0(%a: f32):
    %c = tile.cmp lt, %a, %a : f32
    tile.yield %c : i1
  }
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<si32>) {
  // expected-error @below {{cannot be release}}
  %0 = tile.atomic_load release gpu, %p : !tile.ptr<si32>
  tile.return
}

// -----

tile.func @f(%a: !tile.tile<16x64xf16>, %b: !tile.tile<64x16xui8>, %s: !tile.tile<16x2xui8>, %c: !tile.tile<16x16xf32>) {
  // expected-error @below {{b is of 'ui8', not of e4m3}}
  %0 = tile.dot_scaled %a fp16, %b e4m3 scale %s : !tile.tile<16x2xui8>, %c : !tile.tile<16x64xf16>, !tile.tile<64x16xui8> -> !tile.tile<16x16xf32>
  tile.return
}

// -----

tile.func @f(%a: !tile.tile<16x64xf16>, %b: !tile.tile<32x16xui8>, %s: !tile.tile<16x8xui8>, %c: !tile.tile<16x16xf32>) {
  // expected-error @below {{scales of b are '!tile.tile<16x8xui8>', not ui8 of 16x2}}
  %0 = tile.dot_scaled %a fp16, %b e2m1 scale %s : !tile.tile<16x8xui8>, %c : !tile.tile<16x64xf16>, !tile.tile<32x16xui8> -> !tile.tile<16x16xf32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<8xf32>, %y: f32) {
  // expected-error @below {{has shapes 8 and scalar}}
  %0 = tile.inline_asm "add.f32 $0, $1, $2;" "=f,f,f" pure (%x, %y) : (!tile.tile<8xf32>, f32) -> !tile.tile<8xf32>
  tile.return
}
