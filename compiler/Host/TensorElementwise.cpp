// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/TensorElementwise.h"

#include <algorithm>

namespace tilescope::host {

namespace {

/// One operand of the loop in arithmetic type C: chunks of a tensor, or a number repeated.
template <typename C> struct Input {
  ChunkLoader<C> load = nullptr;
  size_t pointer = 0; ///< its index in the StridedLoop
  int64_t stride = 0;
  unsigned bytes = 0;
  alignas(64) C chunk[ChunkElements];
};

template <typename C>
bool runLoop(OperationContext &context, ElementLoop<C> function, const std::vector<Operand> &operands,
             const TensorObject &result) {
  std::vector<LoopOperand> loopOperands{loopOperand(result, result.shape, true)};
  std::vector<Input<C>> inputs(operands.size());
  std::vector<const C *> chunks;
  for (size_t k = 0; k < operands.size(); ++k) {
    chunks.push_back(inputs[k].chunk);
    if (const auto &tensor = operands[k].tensor) {
      inputs[k].load = chunkLoader<C>(tensor->type);
      inputs[k].bytes = byteSize(tensor->type);
      inputs[k].pointer = loopOperands.size();
      loopOperands.push_back(loopOperand(*tensor, result.shape));
    } else {
      std::fill_n(inputs[k].chunk, ChunkElements, operands[k].number.as<C>());
    }
  }
  StridedLoop loop(result.shape, loopOperands);
  for (Input<C> &input : inputs)
    if (input.load)
      input.stride = loop.innerStride(input.pointer);
  auto store = chunkStorer<C>(result.type);
  const int64_t resultStride = loop.innerStride(0), resultBytes = byteSize(result.type);
  alignas(64) C output[ChunkElements];
  int64_t untilQuestion = 1 << 16;
  return loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
    for (int64_t i = 0; i < length; i += ChunkElements) {
      const int64_t count = std::min(ChunkElements, length - i);
      for (Input<C> &input : inputs)
        if (input.load)
          input.load(at[input.pointer] + i * input.stride * input.bytes, input.stride, count, input.chunk);
      function(chunks.data(), output, count);
      store(output, count, at[0] + i * resultStride * resultBytes, resultStride);
      if ((untilQuestion -= count + 16) < 0) {
        untilQuestion = 1 << 16;
        if (context.stopRequested())
          return false;
      }
    }
    return true;
  });
}

Result<Dims> commonShape(const std::vector<Operand> &operands) {
  Dims shape;
  for (const Operand &operand : operands) {
    if (!operand.tensor)
      continue;
    auto both = broadcastShape(shape, operand.tensor->shape);
    if (!both)
      return both;
    shape = std::move(*both);
  }
  return shape;
}

int kindRank(ElementType type) { return type == ElementType::Bool ? 0 : isFloat(type) ? 2 : 1; }

} // namespace

Result<bool> commonDevice(std::string_view operation, std::span<const Operand> operands) {
  std::optional<bool> device;
  bool anyOnGpu = false;
  for (const Operand &operand : operands) {
    if (!operand.tensor)
      continue;
    anyOnGpu |= operand.tensor->onGpu;
    if (operand.tensor->shape.empty())
      continue; // a tensor of no dimension may be anywhere
    if (device && *device != operand.tensor->onGpu)
      return Error{"device-mismatch", {std::string(operation)}};
    device = operand.tensor->onGpu;
  }
  return device.value_or(anyOnGpu);
}

Result<TensorPtr> elementwise(OperationContext &context, const Elementwise &operation,
                              const std::vector<Operand> &operands, const TensorPtr &destination) {
  ElementType common = resultType(operands);
  if (operation.rule == ResultRule::Floating && !isFloat(common))
    common = ElementType::Float32;
  const ElementType result = operation.rule == ResultRule::Boolean ? ElementType::Bool : common;
  return elementwiseAs(context, operation, operands, common, result, destination);
}

Result<TensorPtr> elementwiseAs(OperationContext &context, const Elementwise &operation,
                                const std::vector<Operand> &operands, ElementType common,
                                ElementType resultType, const TensorPtr &destination) {
  auto shape = commonShape(operands);
  if (!shape)
    return shape.error();
  auto onGpu = commonDevice(operation.name, operands);
  if (!onGpu)
    return onGpu.error();
  TensorPtr result = destination;
  if (result && result->shape != *shape)
    return Error{"shape-mismatch-in-place", {shapeText(*shape), shapeText(result->shape)}};
  if (result && kindRank(resultType) > kindRank(result->type))
    return Error{"result-type", {typeText(resultType), typeText(result->type)}};
  if (!result) {
    std::vector<Dims> operandStrides;
    for (const Operand &operand : operands)
      if (operand.tensor)
        operandStrides.push_back(broadcastStrides(*operand.tensor, *shape));
    const Dims strides = stridesLike(*shape, operandStrides);
    auto made = newTensor(context, *shape, resultType, *onGpu, &strides);
    if (!made)
      return made;
    result = std::move(*made);
  }
  if (context.checking())
    return result;
  if (!context.settle())
    return stopped();
  auto run = [&]<typename C>(C) {
    return runLoop<C>(context, operation.function.loop<C>(), operands, *result);
  };
  if (!withArithmetic(common, run))
    return stopped();
  charge(context, operation.name, operands, {&result, 1});
  return result;
}

} // namespace tilescope::host
