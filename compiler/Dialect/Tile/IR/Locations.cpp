// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spans, call sites and variable names as MLIR locations, and back. Start with Locations.h.
#include "compiler/Dialect/Tile/IR/Locations.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// Line and column from 1, the column in bytes.
struct BytePosition {
  uint32_t line, column;
};

BytePosition positionOf(const SourceFile &file, uint32_t offset) {
  uint32_t line = file.line(offset);
  return {line, offset - file.lineRange(line).begin + 1};
}

Location locationOf(MLIRContext *context, const SourceSpan &span) {
  if (!span.file)
    return UnknownLoc::get(context);
  BytePosition begin = positionOf(*span.file, span.range.begin), end = positionOf(*span.file, span.range.end);
  return FileLineColRange::get(StringAttr::get(context, span.file->path()), begin.line, begin.column,
                               end.line, end.column);
}

SourcePlace placeOf(FileLineColRange range) {
  return {range.getFilename().str(), range.getStartLine(), range.getStartColumn(), range.getEndLine(),
          range.getEndColumn()};
}

/// Fills `origin` from `location`; false when there is no place in it.
bool read(Location location, ValueOrigin &origin) {
  if (auto range = dyn_cast<FileLineColRange>(location)) {
    origin.place = placeOf(range);
    return true;
  }
  if (auto named = dyn_cast<NameLoc>(location)) {
    if (origin.variable.empty())
      origin.variable = named.getName().str();
    return read(named.getChildLoc(), origin);
  }
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    ValueOrigin caller;
    if (!read(call.getCallee(), origin))
      return false;
    if (read(call.getCaller(), caller)) {
      origin.callStack.push_back(caller.place);
      origin.callStack.insert(origin.callStack.end(), caller.callStack.begin(), caller.callStack.end());
    }
    return true;
  }
  if (auto fused = dyn_cast<FusedLoc>(location))
    return llvm::any_of(fused.getLocations(), [&](Location part) { return read(part, origin); });
  if (auto opaque = dyn_cast<OpaqueLoc>(location))
    return read(opaque.getFallbackLocation(), origin);
  return false;
}

uint32_t offsetOf(const SourceFile &file, uint32_t line, uint32_t column) {
  SourceRange range = file.lineRange(std::clamp(line, 1u, file.lineCount()));
  return std::min(range.begin + std::max(column, 1u) - 1, range.end);
}

} // namespace

Location makeLocation(MLIRContext *context, const SourceSpan &span, ArrayRef<SourceSpan> callStack,
                      StringRef variable) {
  Location location = locationOf(context, span);
  if (!callStack.empty()) {
    SmallVector<Location> callers =
        llvm::map_to_vector(callStack, [&](const SourceSpan &call) { return locationOf(context, call); });
    location = CallSiteLoc::get(location, callers);
  }
  return variable.empty() ? location : withVariable(location, variable);
}

Location withVariable(Location location, StringRef variable) {
  if (auto named = dyn_cast<NameLoc>(location))
    location = named.getChildLoc();
  return NameLoc::get(StringAttr::get(location.getContext(), variable), location);
}

std::optional<ValueOrigin> readLocation(Location location) {
  ValueOrigin origin;
  return read(location, origin) ? std::optional(std::move(origin)) : std::nullopt;
}

SourceRange rangeOf(const SourcePlace &place, const SourceFile &file) {
  uint32_t begin = offsetOf(file, place.beginLine, place.beginColumn);
  return {begin, std::max(begin, offsetOf(file, place.endLine, place.endColumn))};
}

} // namespace tilescope::tile
