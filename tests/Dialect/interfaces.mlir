// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's own passes understand loops, branches and effects through the interfaces.
// RUN: tile-opt -loop-invariant-code-motion -split-input-file %s | FileCheck %s --check-prefix=LICM
// RUN: tile-opt -sccp -split-input-file %s | FileCheck %s --check-prefix=SCCP
// RUN: tile-opt -cse -split-input-file %s | FileCheck %s --check-prefix=CSE

// What does not depend on the trip leaves the loop; what reads or writes memory stays.
// LICM-LABEL: @invariants
// LICM: %[[SQUARE:.*]] = tile.mul
// LICM: tile.for
// LICM-NEXT: tile.load
// LICM: }
// LICM: %[[AGAIN:.*]] = tile.mul
// LICM: tile.while
// LICM-NEXT: tile.cmp lt, %{{.*}}, %[[AGAIN]]
tile.func @invariants(%p: !tile.ptr<si32>, %n: si32) {
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  tile.for %i = %zero to %n step %one : si32 {
    %square = tile.mul %n, %n : si32
    %x = tile.load %p : !tile.ptr<si32>
    %y = tile.add %x, %square : si32
    tile.store %p, %y : !tile.ptr<si32>
  }
  %last = tile.while (%x = %zero) : (si32) -> (si32) {
    %square = tile.mul %n, %n : si32
    %more = tile.cmp lt, %x, %square : si32
    tile.condition %more, %x : si32
  } do {
  ^bb0(%y: si32):
    %next = tile.add %y, %one : si32
    tile.yield %next : si32
  }
  tile.store %p, %last : !tile.ptr<si32>
  tile.return
}

// -----

// Constants flow through the branch that is taken, not through the other, and not round a loop that changes them.
// SCCP-LABEL: @constants
// SCCP: %[[FIVE:.*]] = tile.constant 5 : si32
// SCCP: %[[LOOP:.*]]:2 = tile.for
// SCCP: tile.store %{{.*}}, %[[FIVE]]
// SCCP: tile.store %{{.*}}, %[[LOOP]]#0
// SCCP: tile.store %{{.*}}, %[[FIVE]]
tile.func @constants(%p: !tile.ptr<si32>, %n: si32) {
  %five = tile.constant 5 : si32
  %six = tile.constant 6 : si32
  %yes = tile.constant true
  %taken = tile.if %yes -> (si32) {
    tile.yield %five : si32
  } else {
    tile.yield %six : si32
  }
  %r:2 = tile.for %i = %five to %n step %five iter_args(%a = %five, %b = %five) -> (si32, si32) : si32 {
    %next = tile.add %a, %six : si32
    tile.yield %next, %b : si32, si32
  }
  tile.store %p, %taken : !tile.ptr<si32>
  tile.store %p, %r#0 : !tile.ptr<si32>
  tile.store %p, %r#1 : !tile.ptr<si32>
  tile.return
}

// -----

// Two loads with a store between them are two; two without are one. An atomic is never merged.
// CSE-LABEL: @memory
// CSE: tile.load
// CSE-NEXT: tile.store
// CSE-NEXT: tile.load
// CSE-NEXT: tile.atomic_rmw
// CSE-NEXT: tile.atomic_rmw
// CSE-NOT: tile.load
tile.func @memory(%p: !tile.ptr<si32>) {
  %a = tile.load %p : !tile.ptr<si32>
  tile.store %p, %a : !tile.ptr<si32>
  %b = tile.load %p : !tile.ptr<si32>
  %c = tile.load %p : !tile.ptr<si32>
  %d = tile.atomic_rmw add relaxed gpu, %p, %b : !tile.ptr<si32>
  %e = tile.atomic_rmw add relaxed gpu, %p, %c : !tile.ptr<si32>
  tile.return
}
