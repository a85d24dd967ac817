// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline out of stage one inlines, folds, merges and drops; call sites stay in the locations.
// RUN: tile-opt -tile-stage-two-prepare -mlir-print-debuginfo -mlir-print-local-scope %s | FileCheck %s

// CHECK-LABEL: tile.func @kernel
tile.func @kernel(%p: !tile.ptr<f32>) {
  // CHECK-NOT: tile.call
  // CHECK: %[[PID:.*]] = tile.program_id x
  // CHECK-NOT: tile.program_id
  // CHECK: %[[Q:.*]] = tile.addptr %{{.*}}, %[[PID]] : !tile.ptr<f32>, si32
  %i = tile.program_id x
  %j = tile.program_id x
  %q = tile.addptr %p, %i : !tile.ptr<f32>, si32
  %r = tile.addptr %p, %j : !tile.ptr<f32>, si32
  // CHECK: %[[X:.*]] = tile.load %[[Q]]
  %x = tile.load %q : !tile.ptr<f32>
  // CHECK: %[[Y:.*]] = tile.mul %[[X]], %[[X]] : f32 loc(callsite("y"("kernel.py":2:10 to :15) at "s"("kernel.py":12:5 to :15)))
  %s = tile.call @square(%x) : (f32) -> f32 loc("s"("kernel.py":12:5 to :15))
  // CHECK: tile.store %[[Q]], %[[Y]]
  tile.store %r, %s : !tile.ptr<f32>
  tile.return
}

// CHECK-NOT: @square
tile.func private @square(%x: f32) -> f32 {
  %one = tile.constant 1.0 : f32
  %x1 = tile.mul %x, %one : f32
  %y = tile.mul %x1, %x1 : f32 loc("y"("kernel.py":2:10 to :15))
  tile.return %y : f32
}
