// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: tile-opt %s --split-input-file --verify-diagnostics
//
// What the verifiers of stage two say.

// expected-error @below {{the layout has 8 elements and reaches 4}}
#holes = #tile.layout<8, {register = [], lane = [[1], [2], [0], [0], [0]], warp = []}>

// -----

#row = #tile.layout<16, {register = [], lane = [[1], [2], [4], [8], [0]], warp = []}>
// expected-error @below {{the layout is of 16, the shape 32}}
tile.func @shape(%x: !tile.tile<32xf32, #row>)

// -----

#offsets = #tile.layout<16, {offset = [[1], [2], [4], [8]]}>
// expected-error @below {{the layout of a tile maps register, lane and warp}}
tile.func @threads(%x: !tile.tile<16xf32, #offsets>)

// -----

#row = #tile.layout<16, {register = [], lane = [[1], [2], [4], [8], [0]], warp = []}>
// expected-error @below {{the layout of a buffer maps each offset to one element}}
tile.func @buffer(%x: !tile.buffer<16xf32, #row>)

// -----

#row = #tile.layout<16, {register = [], lane = [[1], [2], [4], [8], [0]], warp = []}>
#two = #tile.layout<16, {register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = []}>
tile.func @mixed(%x: !tile.tile<16xf32, #row>, %y: !tile.tile<16xf32, #two>) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%y' expects different type than prior uses}}
  %0 = tile.add %x, %y : !tile.tile<16xf32, #row>
  tile.return
}

// -----

#row = #tile.layout<16, {register = [], lane = [[1], [2], [4], [8], [0]], warp = []}>
#column = #tile.layout<16x1, {register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = []}>
#wide = #tile.layout<16x2, {register = [], lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []}>
tile.func @stretched(%x: !tile.tile<16x1xf32, #column>) {
  // expected-error @below {{the operand's layout is}}
  %0 = tile.broadcast %x : !tile.tile<16x1xf32, #column> -> !tile.tile<16x2xf32, #wide>
  tile.return
}

// -----

#row = #tile.layout<16, {register = [], lane = [[1], [2], [4], [8], [0]], warp = []}>
tile.func @converted(%x: !tile.tile<16xf32>) {
  // expected-error @below {{both tiles have a layout}}
  %0 = tile.convert_layout %x : !tile.tile<16xf32> -> !tile.tile<16xf32, #row>
  tile.return
}

// -----

#offsets = #tile.layout<16, {offset = [[1], [2], [4], [8]]}>
#row = #tile.layout<16, {register = [], lane = [[1], [2], [4], [8], [0]], warp = []}>
tile.func @all() {
  %b = tile.shared_alloc : !tile.buffer<16xf32, #offsets, 2>
  // expected-error @below {{one of 2 buffers must be picked by tile.shared_slot}}
  %0 = tile.shared_load %b : !tile.buffer<16xf32, #offsets, 2> -> !tile.tile<16xf32, #row>
  tile.return
}
