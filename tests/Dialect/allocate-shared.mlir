// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: tile-opt %s --tile-allocate-shared | FileCheck %s
//
// Each buffer is of 256 bytes, a conversion across warps takes as much.

#rows = #tile.layout<64, {register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]}>
#turned = #tile.layout<64, {register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]]}>
#swapped = #tile.layout<64, {register = [], lane = [[2], [1], [4], [8], [16]], warp = [[32]]}>
#shared = #tile.layout<64, {offset = [[1], [2], [4], [8], [16], [32]]}>
!t = !tile.tile<64xf32, #rows>
!p = !tile.tile<64x!tile.ptr<f32>, #rows>
!b = !tile.buffer<64xf32, #shared>

// CHECK-LABEL: tile.func @one_after_the_other
// CHECK-SAME: tile.shared_bytes = 256 : i32
tile.func @one_after_the_other(%v: !t) attributes {num_warps = 2 : i32} {
  // CHECK: tile.shared_alloc {{.*}}{shared_offset = 0 : i32}
  %a = tile.shared_alloc %v : !t -> !b
  %x = tile.shared_load %a : !b -> !t
  // CHECK: tile.shared_alloc {{.*}}{shared_offset = 0 : i32}
  %c = tile.shared_alloc %x : !t -> !b
  %y = tile.shared_load %c : !b -> !t
  tile.return
}

// CHECK-LABEL: tile.func @conversions
// CHECK-SAME: tile.shared_bytes = 512 : i32
tile.func @conversions(%v: !t) attributes {num_warps = 2 : i32} {
  // CHECK: tile.shared_alloc {{.*}}{shared_offset = 0 : i32}
  %a = tile.shared_alloc %v : !t -> !b
  // Across warps it needs a place beside the buffer, within them none.
  // CHECK: tile.convert_layout %{{.*}} {shared_offset = 256 : i32}
  %x = tile.convert_layout %v : !t -> !tile.tile<64xf32, #turned>
  // CHECK: tile.convert_layout
  // CHECK-NOT: shared_offset
  // CHECK-SAME: -> {{.*}}
  %y = tile.convert_layout %v : !t -> !tile.tile<64xf32, #swapped>
  %z = tile.shared_load %a : !b -> !t
  tile.return
}

// A loop keeps a buffer that is older than itself; one of its own is over with the trip.
// CHECK-LABEL: tile.func @loop
// CHECK-SAME: tile.shared_bytes = 512 : i32
tile.func @loop(%v: !t, %n: si32) attributes {num_warps = 2 : i32} {
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  // CHECK: tile.shared_alloc : {shared_offset = [[OLD:[0-9]+]] : i32}
  %old = tile.shared_alloc : !b
  tile.for %i = %zero to %n step %one : si32 {
    %x = tile.shared_load %old : !b -> !t
    // CHECK-NOT: shared_offset = [[OLD]] :
    %a = tile.shared_alloc %x : !t -> !b
    %y = tile.shared_load %a : !b -> !t
    %c = tile.shared_alloc %y : !t -> !b
    tile.yield
  }
  tile.return
}

// Copies for nobody are still on their way until the wait behind the loop: the buffer of the next lines is another.
// CHECK-LABEL: tile.func @copies
// CHECK-SAME: tile.shared_bytes = 512 : i32
tile.func @copies(%v: !t, %p: !p, %n: si32) attributes {num_warps = 2 : i32} {
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  tile.for %i = %zero to %n step %one : si32 {
    // CHECK: tile.shared_alloc {{.*}}{shared_offset = [[FIRST:[0-9]+]] : i32}
    %a = tile.shared_alloc %v : !t -> !b
    // CHECK-NOT: shared_offset = [[FIRST]] :
    %c = tile.shared_alloc : !b
    %t = tile.async_copy %p into %c : !p, !b
    %g = tile.async_commit %t
    tile.yield
  }
  tile.async_wait pending 0
  tile.return
}

// A branch gives away one of its buffers: what it is then used for is not over with the branch.
// CHECK-LABEL: tile.func @given_away
// CHECK-SAME: tile.shared_bytes = 768 : i32
tile.func @given_away(%v: !t, %c: i1) attributes {num_warps = 2 : i32} {
  // CHECK: tile.shared_alloc {{.*}}{shared_offset = [[THEN:[0-9]+]] : i32}
  // CHECK: tile.shared_alloc {{.*}}{shared_offset = [[ELSE:[0-9]+]] : i32}
  %a = tile.if %c -> (!b) {
    %x = tile.shared_alloc %v : !t -> !b
    tile.yield %x : !b
  } else {
    %y = tile.shared_alloc %v : !t -> !b
    tile.yield %y : !b
  }
  // CHECK-NOT: shared_offset = [[THEN]] :
  // CHECK-NOT: shared_offset = [[ELSE]] :
  // CHECK: tile.return
  %other = tile.shared_alloc %v : !t -> !b
  %l = tile.shared_load %other : !b -> !t
  %m = tile.shared_load %a : !b -> !t
  tile.return
}
