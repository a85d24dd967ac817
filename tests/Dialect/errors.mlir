// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers say what differs. What the short form cannot express is written in the generic one.
// RUN: tile-opt -verify-diagnostics -split-input-file %s

// expected-error @below {{dimension of size 3 in a tile: not a power of two}}
tile.func private @f(!tile.tile<3xf32>)

// -----

// expected-error @below {{'i32' cannot be an element of a tile}}
tile.func private @f(!tile.tile<4xi32>)

// -----

// expected-error @below {{a tile has one dimension or more}}
tile.func private @f(!tile.tile<f32>)

// -----

// expected-error @below {{a pointer cannot point to 'i32'}}
tile.func private @f(!tile.ptr<i32>)

// -----

// expected-error @below {{'i32' is no type of a value}}
tile.func private @f(i32)

// -----

// expected-error @below {{is a kernel and returns nothing, but has results}}
tile.func @f(%x: f32) -> f32 {
  tile.return %x : f32
}

// -----

// expected-error @below {{num_warps is 3, not a power of two up to 32}}
tile.func @f() attributes {num_warps = 3 : i32} {
  tile.return
}

// -----

// expected-error @below {{argument 0: "tile.divisibility" is 12 : i32, not a power of two}}
tile.func @f(%x: si32 {tile.divisibility = 12 : i32}) {
  tile.return
}

// -----

// expected-error @below {{argument 0: "tile.name" is not a string}}
tile.func @f(%x: si32 {tile.name = 1 : i32}) {
  tile.return
}

// -----

tile.func private @f(%x: f32) -> f32 {
  // expected-error @below {{has 0 operands, function @f returns 1}}
  tile.return
}

// -----

tile.func private @f(%x: f16) -> f32 {
  // expected-error @below {{operand 0 is of type 'f16', function @f returns 'f32'}}
  tile.return %x : f16
}

// -----

tile.func @f(%x: f16) {
  // expected-error @below {{calls @g, which is no function of this module}}
  tile.call @g(%x) : (f16) -> ()
  tile.return
}

// -----

tile.func private @g(f32)
tile.func @f(%x: f16) {
  // expected-error @below {{operand 0 is of type 'f16', @g has 'f32'}}
  tile.call @g(%x) : (f16) -> ()
  tile.return
}

// -----

tile.func @f() {
  // expected-error @below {{value is of type 'si32', the result holds 'f32'}}
  %0 = tile.constant 1 : si32 -> !tile.tile<4xf32>
  tile.return
}

// -----

tile.func @f() {
  // expected-error @below {{has 96 elements, its type 128}}
  %0 = tile.make_range 32 to 128 : !tile.tile<128xsi32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4xf32>, %y: !tile.tile<8xf32>) {
  // expected-error @below {{operand 1 has shape 8, operand 0 has 4}}
  %0 = "tile.add"(%x, %y) : (!tile.tile<4xf32>, !tile.tile<8xf32>) -> !tile.tile<4xf32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4xf32>, %y: !tile.tile<4xf16>) {
  // expected-error @below {{operand 1 is of type '!tile.tile<4xf16>', operand 0 of '!tile.tile<4xf32>'}}
  %0 = "tile.add"(%x, %y) : (!tile.tile<4xf32>, !tile.tile<4xf16>) -> !tile.tile<4xf32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4xf32>) {
  // expected-error @below {{operand #0 must be integer or i1 or a tile of them, but got '!tile.tile<4xf32>'}}
  %0 = tile.and %x, %x : !tile.tile<4xf32>
  tile.return
}

// -----

tile.func @f(%p: !tile.tile<4x!tile.ptr<f32>>, %o: !tile.tile<8xsi32>) {
  // expected-error @below {{operand 1 has shape 8, operand 0 has 4}}
  %0 = tile.addptr %p, %o : !tile.tile<4x!tile.ptr<f32>>, !tile.tile<8xsi32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4xf32>) {
  // expected-error @below {{result 0 has shape scalar, operand 0 has 4}}
  %0 = tile.cast %x : !tile.tile<4xf32> -> f16
  tile.return
}

// -----

tile.func @f(%x: si32, %y: ui32) {
  // expected-error @below {{compares 'si32' with 'ui32'}}
  %0 = "tile.cmp"(%x, %y) {predicate = #tile<predicate lt>} : (si32, ui32) -> i1
  tile.return
}

// -----

tile.func @f(%x: f16) {
  // expected-error @below {{rounding is for a float to a narrower float, not for 'f16' to 'f32'}}
  %0 = tile.cast %x rounding = rtz : f16 -> f32
  tile.return
}

// -----

tile.func @f(%x: f16) {
  // expected-error @below {{'f16' has 16 bits, 'si32' has 32}}
  %0 = tile.bitcast %x : f16 -> si32
  tile.return
}

// -----

tile.func @f(%x: si64) {
  // expected-error @below {{turns 'si64' into '!tile.ptr<f32>': tile.int_to_ptr and tile.ptr_to_int do that}}
  %0 = tile.bitcast %x : si64 -> !tile.ptr<f32>
  tile.return
}

// -----

tile.func @f(%x: si32) {
  // expected-error @below {{'si32' has 32 bits, an address 64}}
  %0 = tile.int_to_ptr %x : si32 -> !tile.ptr<f32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4x2xf32>) {
  // expected-error @below {{axis 1 goes from 2 to 8, only 1 is stretched}}
  %0 = tile.broadcast %x : !tile.tile<4x2xf32> -> !tile.tile<4x8xf32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4xf32>) {
  // expected-error @below {{operand has rank 1, result 2}}
  %0 = tile.broadcast %x : !tile.tile<4xf32> -> !tile.tile<4x8xf32>
  tile.return
}

// -----

tile.func @f(%x: f32) {
  // expected-error @below {{operand has elements of 'f32', result of 'f16'}}
  %0 = tile.splat %x : f32 -> !tile.tile<4xf16>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4x8xf32>) {
  // expected-error @below {{operand has 32 elements, result 64}}
  %0 = tile.reshape %x : !tile.tile<4x8xf32> -> !tile.tile<64xf32>
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4x8xf32>) {
  // expected-error @below {{last dimension is 8, not 2}}
  %0, %1 = "tile.split"(%x) : (!tile.tile<4x8xf32>) -> (!tile.tile<4xf32>, !tile.tile<4xf32>)
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4xf32>) {
  // expected-error @below {{inferred type(s) '!tile.tile<4x1xf32>' are incompatible with return type(s) of operation '!tile.tile<1x4xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = tile.expand_dims %x axis 1 : !tile.tile<4xf32> -> !tile.tile<1x4xf32>
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error @below {{has `other`, but no mask}}
  %0 = "tile.load"(%p, %v) {operandSegmentSizes = array<i32: 1, 0, 1>} : (!tile.ptr<f32>, f32) -> f32
  tile.return
}

// -----

tile.func @f(%p: !tile.tile<4x!tile.ptr<f32>>, %m: !tile.tile<8xi1>) {
  // expected-error @below {{mask is of type '!tile.tile<8xi1>', the pointer asks for '!tile.tile<4xi1>'}}
  %0 = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.tile<4x!tile.ptr<f32>>, !tile.tile<8xi1>) -> !tile.tile<4xf32>
  tile.return
}

// -----

tile.func @f(%p: !tile.tile<4x!tile.ptr<f32>>, %v: !tile.tile<4xf16>) {
  // expected-error @below {{value is of type '!tile.tile<4xf16>', the pointer asks for '!tile.tile<4xf32>'}}
  "tile.store"(%p, %v) : (!tile.tile<4x!tile.ptr<f32>>, !tile.tile<4xf16>) -> ()
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error @below {{xor takes integers, not 'f32'}}
  %0 = tile.atomic_rmw xor relaxed gpu, %p, %v : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @f(%p: !tile.ptr<si8>, %v: si8) {
  // expected-error @below {{elements of 'si8' have 8 bits, not 16, 32 or 64}}
  %0 = tile.atomic_cas relaxed gpu, %p, %v, %v : !tile.ptr<si8>
  tile.return
}

// -----

tile.func @f(%a: !tile.tile<16x32xf16>, %b: !tile.tile<16x8xf16>, %c: !tile.tile<16x8xf32>) {
  // expected-error @below {{a has 32 columns, b 16 rows}}
  %0 = tile.dot %a, %b, %c tf32 : !tile.tile<16x32xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
  tile.return
}

// -----

tile.func @f(%a: !tile.tile<16x32xf16>, %b: !tile.tile<32x8xf16>, %c: !tile.tile<16x16xf32>) {
  // expected-error @below {{16x32 by 32x8 gives 16x8, the accumulator is 16x16}}
  %0 = tile.dot %a, %b, %c tf32 : !tile.tile<16x32xf16>, !tile.tile<32x8xf16> -> !tile.tile<16x16xf32>
  tile.return
}

// -----

tile.func @f(%a: !tile.tile<16x32xf16>, %b: !tile.tile<32x8xbf16>, %c: !tile.tile<16x8xf32>) {
  // expected-error @below {{multiplies 'f16' by 'bf16'}}
  %0 = tile.dot %a, %b, %c tf32 : !tile.tile<16x32xf16>, !tile.tile<32x8xbf16> -> !tile.tile<16x8xf32>
  tile.return
}

// -----

tile.func @f(%a: !tile.tile<16x32xf32>, %b: !tile.tile<32x8xf32>, %c: !tile.tile<16x8xf16>) {
  // expected-error @below {{sums products of 'f32' in 'f16'}}
  %0 = tile.dot %a, %b, %c tf32 : !tile.tile<16x32xf32>, !tile.tile<32x8xf32> -> !tile.tile<16x8xf16>
  tile.return
}

// -----

tile.func @f(%a: !tile.tile<16xf16>) {
  // expected-error @below {{ranks are 1, 1 and 1: all 2 or all 3}}
  %0 = tile.dot %a, %a, %a tf32 : !tile.tile<16xf16>, !tile.tile<16xf16> -> !tile.tile<16xf16>
  tile.return
}

// -----

tile.func @f(%x: f32, %i: si32, %j: si64) {
  // expected-error @below {{counts from 'si32' to 'si64' by 'si32': all of one type}}
  "tile.for"(%i, %j, %i) ({
  ^bb0(%k: si32):
    tile.yield
  }) : (si32, si64, si32) -> ()
  tile.return
}

// -----

tile.func @f(%x: f32, %i: si32) {
  // expected-error @below {{0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'si32'}}
  %0 = tile.for %k = %i to %i step %i iter_args(%a = %x) -> (f32) : si32 {
    tile.yield %k : si32
  }
  tile.return
}

// -----

tile.func @f(%x: f32, %i: si32) {
  // expected-error @below {{2 types for 1 carried values}}
  %0:2 = tile.for %k = %i to %i step %i iter_args(%a = %x) -> (f32, f32) : si32 {
    tile.yield %a, %a : f32, f32
  }
  tile.return
}

// -----

tile.func @f(%c: i1, %x: f32) {
  // expected-error @below {{has results, but no second region that yields them}}
  %0 = tile.if %c -> (f32) {
    tile.yield %x : f32
  }
  tile.return
}

// -----

tile.func @f(%c: i1, %x: f32, %y: f16) {
  // expected-error @below {{successor operand type #0 'f16' should match successor input type #0 'f32'}}
  %0 = tile.if %c -> (f32) {
    tile.yield %x : f32
  } else {
    // expected-note @below {{region branch point}}
    tile.yield %y : f16
  }
  tile.return
}

// -----

tile.func @f(%c: i1, %x: f32) {
  // expected-error @below {{successor operand type #0 'f32' should match successor input type #0 'f16'}}
  %0 = tile.while (%a = %x) : (f32) -> (f16) {
    // expected-note @below {{region branch point}}
    tile.condition %c, %a : f32
  } do {
  ^bb0(%b: f16):
    tile.yield %x : f32
  }
  tile.return
}

// -----

tile.func @f(%c: i1, %x: f32) {
  // expected-error @below {{first region does not end with tile.condition}}
  %0 = tile.while (%a = %x) : (f32) -> (f32) {
    tile.yield %a : f32
  } do {
  ^bb0(%b: f32):
    tile.yield %b : f32
  }
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<4x8xf32>, %y: !tile.tile<4x4xf32>) {
  // expected-error @below {{operand 1 has shape 4x4, operand 0 has 4x8}}
  %0:2 = tile.reduce %x, %y axis 0 : !tile.tile<4x8xf32>, !tile.tile<4x4xf32> -> !tile.tile<8xf32>, !tile.tile<4xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tile.yield %a, %b : f32, f32
  }
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<8xf32>) {
  // expected-error @below {{axis 1 is not between 0 and 0}}
  %0 = tile.scan %x axis 1 : !tile.tile<8xf32> -> !tile.tile<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<8xf32>) {
  // expected-error @below {{has 1 arguments of the combiner and 2 elements, taken twice,}}
  %0 = tile.reduce %x axis 0 : !tile.tile<8xf32> -> f32 {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  tile.return
}

// -----

tile.func @f(%x: !tile.tile<8xf32>, %i: si32) {
  // expected-error @below {{yielded values and elements differ at 0: 'si32' and 'f32'}}
  %0 = tile.reduce %x axis 0 : !tile.tile<8xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %i : si32
  }
  tile.return
}

// -----

tile.func @f(%c: !tile.tile<4xi1>, %m: !tile.tile<8xi1>) {
  // expected-error @below {{mask is of type '!tile.tile<8xi1>', the condition of '!tile.tile<4xi1>'}}
  "tile.assert"(%c, %m) {message = "m"} : (!tile.tile<4xi1>, !tile.tile<8xi1>) -> ()
  tile.return
}
