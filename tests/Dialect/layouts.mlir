// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: tile-opt %s | tile-opt | FileCheck %s
//
// Stage two as text: layouts on tiles, buffers, asynchronous copies. What follows from a layout is checked in
// layouts-errors.mlir.

// CHECK-DAG: #[[TILE:.*]] = #tile.layout<64x32, {register = {{\[\[}}0, 1], [0, 2], [16, 0], [32, 0]],
// CHECK-DAG: #[[ROWS:.*]] = #tile.layout<64, {register = {{\[\[}}16], [32]], lane = {{\[\[}}0], [0], [0], [1], [2]], warp = {{\[\[}}4], [8]]}>
// CHECK-DAG: #shared = #tile.layout<64x32, {offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8],
#blocked = #tile.layout<64x32, {register = [[0, 1], [0, 2], [16, 0], [32, 0]],
                                lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]}>
#rows = #tile.layout<64, {register = [[16], [32]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]}>
#column = #tile.layout<64x1, {register = [[16, 0], [32, 0]],
                              lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]}>
#shared = #tile.layout<64x32, {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16],
                                         [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}>

// CHECK: tile.func @buffers(%arg0: !tile.tile<64x32x!tile.ptr<f16>, #[[TILE]]>
tile.func @buffers(%p: !tile.tile<64x32x!tile.ptr<f16>, #blocked>, %i: si32) {
  // CHECK: tile.shared_alloc : !tile.buffer<64x32xf16, #shared, 3>
  %b = tile.shared_alloc : !tile.buffer<64x32xf16, #shared, 3>
  // CHECK: tile.shared_slot %{{.*}}[%arg1] : !tile.buffer<64x32xf16, #shared, 3>
  %s = tile.shared_slot %b[%i] : !tile.buffer<64x32xf16, #shared, 3>
  // CHECK: tile.async_copy %arg0 into %{{.*}} : !tile.tile<64x32x!tile.ptr<f16>, #[[TILE]]>, !tile.buffer<64x32xf16, #shared>
  %t = tile.async_copy %p into %s : !tile.tile<64x32x!tile.ptr<f16>, #blocked>, !tile.buffer<64x32xf16, #shared>
  // CHECK: tile.async_commit
  // CHECK: tile.async_wait pending 0
  // CHECK: tile.shared_barrier
  %g = tile.async_commit %t
  tile.async_wait pending 0
  tile.shared_barrier
  // CHECK: tile.async_commit none
  %h = tile.async_commit none
  // CHECK: tile.shared_load %{{.*}} : !tile.buffer<64x32xf16, #shared> -> !tile.tile<64x32xf16, #[[TILE]]>
  %v = tile.shared_load %s : !tile.buffer<64x32xf16, #shared> -> !tile.tile<64x32xf16, #blocked>
  // CHECK: tile.reduce %{{.*}} axis 1 : !tile.tile<64x32xf16, #[[TILE]]> -> !tile.tile<64xf16, #[[ROWS]]>
  %m = tile.reduce %v axis 1 : !tile.tile<64x32xf16, #blocked> -> !tile.tile<64xf16, #rows> {
  ^bb0(%a: f16, %c: f16):
    %d = tile.max %a, %c : f16
    tile.yield %d : f16
  }
  %e = tile.expand_dims %m axis 1 : !tile.tile<64xf16, #rows> -> !tile.tile<64x1xf16, #column>
  %f = tile.broadcast %e : !tile.tile<64x1xf16, #column> -> !tile.tile<64x32xf16, #blocked>
  // CHECK: tile.shared_store
  tile.shared_store %f, %s : !tile.tile<64x32xf16, #blocked>, !tile.buffer<64x32xf16, #shared>
  tile.return
}
