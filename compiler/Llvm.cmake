# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM and MLIR 22 for the folders below. Never mix static MLIR targets with the shared library: the
# imported static targets carry the shared one in their interface, and options would register twice.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(tilescope-llvm INTERFACE)
target_include_directories(tilescope-llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(tilescope-llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
if(TILESCOPE_STATIC_LLVM)
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "libMLIR(Test|CAPI|.*Test[A-Z]|.*Tests)")
  target_link_options(tilescope-llvm INTERFACE -Wl,--gc-sections -Wl,--as-needed -static-libstdc++ -static-libgcc)
  target_link_libraries(tilescope-llvm INTERFACE
    -Wl,--start-group ${archives} -Wl,--end-group z -l:libzstd.a Threads::Threads ${CMAKE_DL_LIBS} m)
else()
  target_link_libraries(tilescope-llvm INTERFACE MLIR LLVM)
endif()

# One precompiled header for every library that includes MLIR.
add_library(tilescope-mlir-pch OBJECT ${CMAKE_CURRENT_LIST_DIR}/MlirPch.cpp)
target_precompile_headers(tilescope-mlir-pch PRIVATE
  <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/OpImplementation.h>
  <mlir/IR/PatternMatch.h> <mlir/IR/Verifier.h> <mlir/Pass/Pass.h> <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/SCF/IR/SCF.h> <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/Math/IR/Math.h>)
target_link_libraries(tilescope-mlir-pch PRIVATE tilescope-llvm)
tilescope_warnings(tilescope-mlir-pch)

# tilescope_mlir_library(NAME SOURCES … LINK …): as tilescope_library, with MLIR and its precompiled header.
function(tilescope_mlir_library name)
  tilescope_library(${name} ${ARGN})
  target_link_libraries(${name} PUBLIC tilescope-llvm)
  target_precompile_headers(${name} REUSE_FROM tilescope-mlir-pch)
endfunction()
