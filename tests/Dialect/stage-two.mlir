// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices, through all of stage two for sm_80. Where threads hold what is what Triton 3.9 chooses for the
// same kernel and target (its TTGIR): loads of A blocked<sizePerThread = [1, 8], threadsPerWarp = [8, 4],
// warpsPerCTA = [4, 1]>, of B [1, 8], [4, 8], [4, 1]; nvidia_mma version 2 with warpsPerCTA = [2, 2]; shared memory of A
// swizzled with vec 8, perPhase 2, maxPhase 4, of B with 8, 1, 8. (Triton has one buffer less, and a second barrier.)
// RUN: tile-opt -tile-stage-two %s | FileCheck %s
// RUN: tile-opt -tile-stage-two %s | tile-opt | FileCheck %s

// CHECK-DAG: #[[A:.*]] = #tile.layout<64x32, {register = {{\[\[}}0, 1], [0, 2], [0, 4], [32, 0]], lane = {{\[\[}}0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}8, 0], [16, 0]]}>
// CHECK-DAG: #[[B:.*]] = #tile.layout<32x64, {register = {{\[\[}}0, 1], [0, 2], [0, 4], [16, 0]], lane = {{\[\[}}0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = {{\[\[}}4, 0], [8, 0]]}>
// CHECK-DAG: #[[MMA:.*]] = #tile.layout<64x64, {register = {{\[\[}}0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 8], [16, 0]]}>
// CHECK-DAG: #[[SA:.*]] = #tile.layout<64x32, {offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}>
// CHECK-DAG: #[[SB:.*]] = #tile.layout<32x64, {offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}>
// CHECK: tile.shared_alloc : {shared_offset = {{[0-9]+}} : i32} !tile.buffer<64x32xf16, #[[SA]], 3>
// CHECK: tile.shared_alloc : {shared_offset = {{[0-9]+}} : i32} !tile.buffer<32x64xf16, #[[SB]], 3>
// Two trips ahead, in front of the loop.
// CHECK-COUNT-4: tile.async_copy
// CHECK: tile.for
// CHECK-NEXT: tile.async_wait pending 1
// CHECK: tile.shared_barrier
// CHECK: tile.async_copy {{.*}}x!tile.ptr<f16>, #[[A]]>, !tile.buffer<64x32xf16, #[[SA]]>
// CHECK: tile.async_copy {{.*}}x!tile.ptr<f16>, #[[B]]>, !tile.buffer<32x64xf16, #[[SB]]>
// CHECK-NOT: tile.shared_barrier
// CHECK: tile.dot {{.*}} -> !tile.tile<64x64xf32, #[[MMA]]>
// CHECK: tile.async_wait pending 0
// CHECK: tile.convert_layout
// CHECK: tile.store
  tile.func @matmul_kernel(%arg0: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "a_ptr"}, %arg1: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "b_ptr"}, %arg2: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "c_ptr"}, %arg3: si32 {tile.divisibility = 16 : i32, tile.name = "M"}, %arg4: si32 {tile.divisibility = 16 : i32, tile.name = "N"}, %arg5: si32 {tile.divisibility = 16 : i32, tile.name = "K"}, %arg6: si32 {tile.divisibility = 16 : i32, tile.name = "stride_am"}, %arg7: si32 {tile.divisibility = 16 : i32, tile.name = "stride_bk"}, %arg8: si32 {tile.divisibility = 16 : i32, tile.name = "stride_cm"}) attributes {num_stages = 3 : i32, num_warps = 4 : i32, target = "cuda:80"} {
    %0 = tile.program_id x
    %1 = tile.program_id y
    %c64 = tile.constant 64 : si32
    %2 = tile.mul %0, %c64 : si32
    %3 = tile.make_range 0 to 64 : !tile.tile<64xsi32>
    %4 = tile.splat %2 : si32 -> !tile.tile<64xsi32>
    %5 = tile.add %4, %3 : !tile.tile<64xsi32>
    %c64_0 = tile.constant 64 : si32
    %6 = tile.mul %1, %c64_0 : si32
    %7 = tile.make_range 0 to 64 : !tile.tile<64xsi32>
    %8 = tile.splat %6 : si32 -> !tile.tile<64xsi32>
    %9 = tile.add %8, %7 : !tile.tile<64xsi32>
    %10 = tile.make_range 0 to 32 : !tile.tile<32xsi32>
    %11 = tile.expand_dims %5 axis 1 : !tile.tile<64xsi32> -> !tile.tile<64x1xsi32>
    %12 = tile.splat %arg6 : si32 -> !tile.tile<64x1xsi32>
    %13 = tile.mul %11, %12 : !tile.tile<64x1xsi32>
    %14 = tile.splat %arg0 : !tile.ptr<f16> -> !tile.tile<64x1x!tile.ptr<f16>>
    %15 = tile.addptr %14, %13 : !tile.tile<64x1x!tile.ptr<f16>>, !tile.tile<64x1xsi32>
    %16 = tile.expand_dims %10 axis 0 : !tile.tile<32xsi32> -> !tile.tile<1x32xsi32>
    %17 = tile.broadcast %15 : !tile.tile<64x1x!tile.ptr<f16>> -> !tile.tile<64x32x!tile.ptr<f16>>
    %18 = tile.broadcast %16 : !tile.tile<1x32xsi32> -> !tile.tile<64x32xsi32>
    %19 = tile.addptr %17, %18 : !tile.tile<64x32x!tile.ptr<f16>>, !tile.tile<64x32xsi32>
    %20 = tile.expand_dims %10 axis 1 : !tile.tile<32xsi32> -> !tile.tile<32x1xsi32>
    %21 = tile.splat %arg7 : si32 -> !tile.tile<32x1xsi32>
    %22 = tile.mul %20, %21 : !tile.tile<32x1xsi32>
    %23 = tile.splat %arg1 : !tile.ptr<f16> -> !tile.tile<32x1x!tile.ptr<f16>>
    %24 = tile.addptr %23, %22 : !tile.tile<32x1x!tile.ptr<f16>>, !tile.tile<32x1xsi32>
    %25 = tile.expand_dims %9 axis 0 : !tile.tile<64xsi32> -> !tile.tile<1x64xsi32>
    %26 = tile.broadcast %24 : !tile.tile<32x1x!tile.ptr<f16>> -> !tile.tile<32x64x!tile.ptr<f16>>
    %27 = tile.broadcast %25 : !tile.tile<1x64xsi32> -> !tile.tile<32x64xsi32>
    %28 = tile.addptr %26, %27 : !tile.tile<32x64x!tile.ptr<f16>>, !tile.tile<32x64xsi32>
    %cst = tile.constant 0.000000e+00 : f32 -> !tile.tile<64x64xf32>
    %c31 = tile.constant 31 : si32
    %29 = tile.add %arg5, %c31 : si32
    %c32 = tile.constant 32 : si32
    %30 = tile.div %29, %c32 : si32
    %c0 = tile.constant 0 : si32
    %c1 = tile.constant 1 : si32
    %31:3 = tile.for %arg9 = %c0 to %30 step %c1 iter_args(%arg10 = %cst, %arg11 = %19, %arg12 = %28) -> (!tile.tile<64x64xf32>, !tile.tile<64x32x!tile.ptr<f16>>, !tile.tile<32x64x!tile.ptr<f16>>) : si32 {
      %c32_1 = tile.constant 32 : si32
      %51 = tile.mul %arg9, %c32_1 : si32
      %52 = tile.sub %arg5, %51 : si32
      %53 = tile.expand_dims %5 axis 1 : !tile.tile<64xsi32> -> !tile.tile<64x1xsi32>
      %54 = tile.splat %arg3 : si32 -> !tile.tile<64x1xsi32>
      %55 = tile.cmp lt, %53, %54 : !tile.tile<64x1xsi32>
      %56 = tile.expand_dims %10 axis 0 : !tile.tile<32xsi32> -> !tile.tile<1x32xsi32>
      %57 = tile.splat %52 : si32 -> !tile.tile<1x32xsi32>
      %58 = tile.cmp lt, %56, %57 : !tile.tile<1x32xsi32>
      %59 = tile.broadcast %55 : !tile.tile<64x1xi1> -> !tile.tile<64x32xi1>
      %60 = tile.broadcast %58 : !tile.tile<1x32xi1> -> !tile.tile<64x32xi1>
      %61 = tile.and %59, %60 : !tile.tile<64x32xi1>
      %cst_2 = tile.constant 0.000000e+00 : f32
      %62 = tile.splat %cst_2 : f32 -> !tile.tile<64x32xf32>
      %63 = tile.cast %62 : !tile.tile<64x32xf32> -> !tile.tile<64x32xf16>
      %64 = tile.load %arg11, %61, %63 : !tile.tile<64x32x!tile.ptr<f16>>
      %65 = tile.expand_dims %10 axis 1 : !tile.tile<32xsi32> -> !tile.tile<32x1xsi32>
      %66 = tile.splat %52 : si32 -> !tile.tile<32x1xsi32>
      %67 = tile.cmp lt, %65, %66 : !tile.tile<32x1xsi32>
      %68 = tile.expand_dims %9 axis 0 : !tile.tile<64xsi32> -> !tile.tile<1x64xsi32>
      %69 = tile.splat %arg4 : si32 -> !tile.tile<1x64xsi32>
      %70 = tile.cmp lt, %68, %69 : !tile.tile<1x64xsi32>
      %71 = tile.broadcast %67 : !tile.tile<32x1xi1> -> !tile.tile<32x64xi1>
      %72 = tile.broadcast %70 : !tile.tile<1x64xi1> -> !tile.tile<32x64xi1>
      %73 = tile.and %71, %72 : !tile.tile<32x64xi1>
      %cst_3 = tile.constant 0.000000e+00 : f32
      %74 = tile.splat %cst_3 : f32 -> !tile.tile<32x64xf32>
      %75 = tile.cast %74 : !tile.tile<32x64xf32> -> !tile.tile<32x64xf16>
      %76 = tile.load %arg12, %73, %75 : !tile.tile<32x64x!tile.ptr<f16>>
      %77 = tile.dot %64, %76, %arg10 tf32 : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
      %c32_4 = tile.constant 32 : si32
      %78 = tile.splat %c32_4 : si32 -> !tile.tile<64x32xsi32>
      %79 = tile.addptr %arg11, %78 : !tile.tile<64x32x!tile.ptr<f16>>, !tile.tile<64x32xsi32>
      %c32_5 = tile.constant 32 : si32
      %80 = tile.mul %c32_5, %arg7 : si32
      %81 = tile.splat %80 : si32 -> !tile.tile<32x64xsi32>
      %82 = tile.addptr %arg12, %81 : !tile.tile<32x64x!tile.ptr<f16>>, !tile.tile<32x64xsi32>
      tile.yield %77, %79, %82 : !tile.tile<64x64xf32>, !tile.tile<64x32x!tile.ptr<f16>>, !tile.tile<32x64x!tile.ptr<f16>>
    }
    %32 = tile.expand_dims %5 axis 1 : !tile.tile<64xsi32> -> !tile.tile<64x1xsi32>
    %33 = tile.splat %arg8 : si32 -> !tile.tile<64x1xsi32>
    %34 = tile.mul %32, %33 : !tile.tile<64x1xsi32>
    %35 = tile.splat %arg2 : !tile.ptr<f16> -> !tile.tile<64x1x!tile.ptr<f16>>
    %36 = tile.addptr %35, %34 : !tile.tile<64x1x!tile.ptr<f16>>, !tile.tile<64x1xsi32>
    %37 = tile.expand_dims %9 axis 0 : !tile.tile<64xsi32> -> !tile.tile<1x64xsi32>
    %38 = tile.broadcast %36 : !tile.tile<64x1x!tile.ptr<f16>> -> !tile.tile<64x64x!tile.ptr<f16>>
    %39 = tile.broadcast %37 : !tile.tile<1x64xsi32> -> !tile.tile<64x64xsi32>
    %40 = tile.addptr %38, %39 : !tile.tile<64x64x!tile.ptr<f16>>, !tile.tile<64x64xsi32>
    %41 = tile.cast %31#0 : !tile.tile<64x64xf32> -> !tile.tile<64x64xf16>
    %42 = tile.expand_dims %5 axis 1 : !tile.tile<64xsi32> -> !tile.tile<64x1xsi32>
    %43 = tile.splat %arg3 : si32 -> !tile.tile<64x1xsi32>
    %44 = tile.cmp lt, %42, %43 : !tile.tile<64x1xsi32>
    %45 = tile.expand_dims %9 axis 0 : !tile.tile<64xsi32> -> !tile.tile<1x64xsi32>
    %46 = tile.splat %arg4 : si32 -> !tile.tile<1x64xsi32>
    %47 = tile.cmp lt, %45, %46 : !tile.tile<1x64xsi32>
    %48 = tile.broadcast %44 : !tile.tile<64x1xi1> -> !tile.tile<64x64xi1>
    %49 = tile.broadcast %47 : !tile.tile<1x64xi1> -> !tile.tile<64x64xi1>
    %50 = tile.and %48, %49 : !tile.tile<64x64xi1>
    tile.store %40, %41, %50 : !tile.tile<64x64x!tile.ptr<f16>>
    tile.return
  }
