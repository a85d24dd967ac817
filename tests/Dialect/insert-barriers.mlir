// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: tile-opt %s --tile-allocate-shared --tile-insert-barriers | FileCheck %s

#rows = #tile.layout<64, {register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]}>
#turned = #tile.layout<64, {register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]]}>
#shared = #tile.layout<64, {offset = [[1], [2], [4], [8], [16], [32]]}>
!t = !tile.tile<64xf32, #rows>
!p = !tile.tile<64x!tile.ptr<f32>, #rows>
!b = !tile.buffer<64xf32, #shared>
!b2 = !tile.buffer<64xf32, #shared, 2>

// CHECK-LABEL: tile.func @read_after_write
tile.func @read_after_write(%v: !t) attributes {num_warps = 2 : i32} {
  // CHECK: tile.shared_alloc
  // CHECK-NEXT: tile.shared_barrier
  // CHECK-NEXT: tile.shared_load
  // CHECK-NEXT: tile.shared_load
  // CHECK-NEXT: tile.shared_barrier
  // CHECK-NEXT: tile.shared_store
  // CHECK-NEXT: tile.return
  %a = tile.shared_alloc %v : !t -> !b
  %x = tile.shared_load %a : !b -> !t
  %y = tile.shared_load %a : !b -> !t
  tile.shared_store %y, %a : !t, !b
  tile.return
}

// CHECK-LABEL: tile.func @different_slots
// CHECK-NOT: tile.shared_barrier
// CHECK: tile.return
tile.func @different_slots(%v: !t) attributes {num_warps = 2 : i32} {
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %all = tile.shared_alloc : !b2
  %a = tile.shared_slot %all[%zero] : !b2
  %c = tile.shared_slot %all[%one] : !b2
  tile.shared_store %v, %a : !t, !b
  tile.shared_store %v, %c : !t, !b
  tile.return
}

// A slot that is not known may be any.
// CHECK-LABEL: tile.func @any_slot
tile.func @any_slot(%v: !t, %i: si32) attributes {num_warps = 2 : i32} {
  // CHECK: tile.shared_store
  // CHECK: tile.shared_barrier
  // CHECK-NEXT: tile.shared_store
  %zero = tile.constant 0 : si32
  %all = tile.shared_alloc : !b2
  %a = tile.shared_slot %all[%zero] : !b2
  %c = tile.shared_slot %all[%i] : !b2
  tile.shared_store %v, %a : !t, !b
  tile.shared_store %v, %c : !t, !b
  tile.return
}

// Scratch space of one conversion after another: the second may not be written before the first is read.
// CHECK-LABEL: tile.func @conversions
tile.func @conversions(%v: !t) attributes {num_warps = 2 : i32} {
  // CHECK-NEXT: tile.convert_layout
  // CHECK-NEXT: tile.shared_barrier
  // CHECK-NEXT: tile.convert_layout
  // CHECK-NEXT: tile.return
  %x = tile.convert_layout %v : !t -> !tile.tile<64xf32, #turned>
  %y = tile.convert_layout %v : !t -> !tile.tile<64xf32, #turned>
  tile.return
}

// What a copy has brought is everyone's after a wait and a barrier.
// CHECK-LABEL: tile.func @copy
tile.func @copy(%p: !p) attributes {num_warps = 2 : i32} {
  // CHECK: tile.async_wait pending 0
  // CHECK-NEXT: tile.shared_barrier
  // CHECK-NEXT: tile.shared_load
  %a = tile.shared_alloc : !b
  %t = tile.async_copy %p into %a : !p, !b
  %g = tile.async_commit %t
  tile.async_wait pending 0
  %x = tile.shared_load %a : !b -> !t
  tile.return
}

// One group more on one way: a wait for all but one lets in the other copy on that way only, and the barrier is for it.
// CHECK-LABEL: tile.func @groups_of_a_branch
tile.func @groups_of_a_branch(%p: !p, %c: i1) attributes {num_warps = 2 : i32} {
  // CHECK: tile.async_wait pending 1
  // CHECK-NEXT: tile.shared_barrier
  // CHECK-NEXT: tile.shared_load
  %a = tile.shared_alloc : !b
  %t = tile.async_copy %p into %a : !p, !b
  %g = tile.async_commit %t
  tile.if %c {
    %h = tile.async_commit none
    tile.yield
  }
  tile.async_wait pending 1
  %x = tile.shared_load %a : !b -> !t
  tile.return
}

// From trip to trip: both the write before the read and the read before the next write.
// CHECK-LABEL: tile.func @loop
tile.func @loop(%v: !t, %n: si32) attributes {num_warps = 2 : i32} {
  // CHECK: tile.for
  // CHECK-NEXT: tile.shared_barrier
  // CHECK-NEXT: tile.shared_store
  // CHECK-NEXT: tile.shared_barrier
  // CHECK-NEXT: tile.shared_load
  // CHECK-NEXT: }
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %a = tile.shared_alloc : !b
  tile.for %i = %zero to %n step %one : si32 {
    tile.shared_store %v, %a : !t, !b
    %x = tile.shared_load %a : !b -> !t
    tile.yield
  }
  tile.return
}

// Two buffers that take turns: a store meets the load of two trips ago only through the barrier of the trip between.
// CHECK-LABEL: tile.func @turns
tile.func @turns(%v: !t, %n: si32) attributes {num_warps = 2 : i32} {
  // CHECK: tile.for
  // CHECK: tile.shared_store
  // CHECK-NEXT: tile.shared_barrier
  // CHECK-NEXT: tile.shared_load
  // CHECK-NOT: tile.shared_barrier
  // CHECK: tile.return
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %two = tile.constant 2 : si32
  %all = tile.shared_alloc : !b2
  %r = tile.for %i = %zero to %n step %one iter_args(%slot = %zero) -> (si32) : si32 {
    %a = tile.shared_slot %all[%slot] : !b2
    tile.shared_store %v, %a : !t, !b
    %x = tile.shared_load %a : !b -> !t
    %sum = tile.add %slot, %one : si32
    %last = tile.cmp eq, %sum, %two : si32
    %next = tile.select %last, %zero, %sum : si32
    tile.yield %next : si32
  }
  tile.return
}

// The loop turns the slot, but uses a constant one as well: which of them are the same changes with the trips.
// CHECK-LABEL: tile.func @turns_and_stays
tile.func @turns_and_stays(%v: !t, %n: si32) attributes {num_warps = 2 : i32} {
  // CHECK: tile.for
  // CHECK: tile.shared_barrier
  // CHECK-NEXT: tile.shared_store
  // CHECK-NEXT: tile.shared_barrier
  // CHECK-NEXT: tile.shared_load
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %two = tile.constant 2 : si32
  %all = tile.shared_alloc : !b2
  %still = tile.shared_slot %all[%one] : !b2
  %r = tile.for %i = %zero to %n step %one iter_args(%slot = %zero) -> (si32) : si32 {
    %a = tile.shared_slot %all[%slot] : !b2
    tile.shared_store %v, %a : !t, !b
    %x = tile.shared_load %still : !b -> !t
    %sum = tile.add %slot, %one : si32
    %last = tile.cmp eq, %sum, %two : si32
    %next = tile.select %last, %zero, %sum : si32
    tile.yield %next : si32
  }
  tile.return
}
