// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of operations: a row each, kept by family in one file each (OperationsElementwise.cpp and so on).
// OperationsTable.cpp makes of it what Operations.h offers: one Operation for every name that a row goes by.
#pragma once

#include "compiler/Host/OperationsCall.h"

#include <span>

namespace tilescope::host {

/// Where a row's names are found.
enum Place : unsigned {
  Torch = 1,      ///< torch.name
  Method = 2,     ///< tensor.name
  InPlace = 4,    ///< tensor.name_, which writes its result into the tensor
  Functional = 8, ///< torch.nn.functional.name
  Attribute = 16, ///< tensor.name, without a call
  FullName = 32,  ///< as it stands in the row
  Everywhere = Torch | Method | InPlace,
};

struct OperationRow {
  std::string_view names; ///< separated by spaces: all mean the same
  unsigned places;
  std::string_view schema;
  Result<Value> (*body)(Call &);
};

std::span<const OperationRow> arrangeRows();
std::span<const OperationRow> comparisonRows();
std::span<const OperationRow> creationRows();
std::span<const OperationRow> einsumRows();
std::span<const OperationRow> elementwiseRows();
std::span<const OperationRow> matrixRows();
std::span<const OperationRow> moveRows();
std::span<const OperationRow> networkRows();
std::span<const OperationRow> propertyRows();
std::span<const OperationRow> randomRows();
std::span<const OperationRow> reductionRows();
std::span<const OperationRow> sortRows();
std::span<const OperationRow> viewRows();

} // namespace tilescope::host
