// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of what networks are made of: convolution, pooling, losses. Patches of an image are a strided view of
// its padded copy.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/OperationsElementwise.h"
#include "compiler/Host/SilentContext.h"
#include "compiler/Host/TensorFunctions.h"
#include "compiler/Host/TensorMatmul.h"
#include "compiler/Host/TensorMove.h"
#include "compiler/Host/TensorReduce.h"
#include "compiler/Host/TensorRows.h"
#include "compiler/Host/TensorViews.h"

namespace tilescope::host {

namespace {

/// How a window walks over the last `rank` dimensions of an image.
struct Window {
  Dims kernel, stride, padding, dilation;
  int64_t rank() const { return static_cast<int64_t>(kernel.size()); }
};

/// An int for all dimensions or one for each.
Dims perDimension(Call &call, std::string_view parameter, size_t rank, int64_t least) {
  Dims values = call.integers(parameter);
  if (values.size() == 1)
    values.resize(rank, values[0]);
  if (values.size() != rank || *std::ranges::min_element(values) < least) {
    call.fail({"operation-argument-value", {std::string(parameter), shapeText(call.integers(parameter))}},
              parameter);
    return Dims(rank, 1);
  }
  return values;
}

/// The input of convolutions and poolings, with its batch; `rank` dimensions of space.
TensorPtr imageOf(Call &call, int64_t rank) {
  auto input = call.tensor("input");
  if (call.failed())
    return nullptr;
  if (input->rank() == rank + 1)
    return unsqueezed(*input, 0);
  if (input->rank() != rank + 2)
    call.fail({"image-rank",
               {std::string(call.name()), std::to_string(rank + 1), std::to_string(rank + 2),
                shapeText(input->shape)}},
              "input");
  return input;
}

/// Without the batch again, where the input had none.
Result<Value> likeInput(Call &call, int64_t rank, Result<TensorPtr> result) {
  if (result && call.tensor("input")->rank() == rank + 1)
    result = selected(**result, 0, 0);
  return call.finish(std::move(result));
}

Dims outputSize(Call &call, const TensorObject &image, const Window &window) {
  Dims size;
  for (int64_t d = 0; d < window.rank(); ++d) {
    const int64_t covered = window.dilation[d] * (window.kernel[d] - 1) + 1;
    const int64_t free = image.shape[d + 2] + 2 * window.padding[d] - covered;
    if (free < 0)
      call.fail({"window-too-large", {shapeText(window.kernel), shapeText(image.shape)}});
    size.push_back(free / window.stride[d] + 1);
  }
  return size;
}

/// The image with `filling` around it; itself, where there is no padding.
Result<TensorPtr> padded(OperationContext &context, const TensorPtr &image, const Dims &padding,
                         Number filling) {
  if (std::ranges::all_of(padding, [](int64_t width) { return width == 0; }))
    return image;
  Dims shape = image->shape;
  std::vector<std::vector<int64_t>> places(shape.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t width = d < 2 ? 0 : padding[d - 2], size = shape[d];
    for (int64_t i = -width; i < size + width; ++i)
      places[d].push_back(i >= 0 && i < size ? i * image->strides[d] : Nowhere);
    shape[d] += 2 * width;
  }
  if (auto error = tooManyPlaces(shape))
    return *error;
  auto result = newTensor(context, shape, image->type, image->onGpu);
  if (result && !context.checking() &&
      !pickElements(context, *image, crossOffsets(places), **result, filling))
    return stopped();
  return result;
}

/// A view of an image, padded already: (batch, channels, kernel …, output …).
TensorPtr patches(const TensorObject &image, const Window &window, const Dims &output) {
  Dims shape{image.shape[0], image.shape[1]}, strides{image.strides[0], image.strides[1]};
  for (int64_t d = 0; d < window.rank(); ++d) {
    shape.push_back(window.kernel[d]);
    strides.push_back(image.strides[d + 2] * window.dilation[d]);
  }
  for (int64_t d = 0; d < window.rank(); ++d) {
    shape.push_back(output[d]);
    strides.push_back(image.strides[d + 2] * window.stride[d]);
  }
  return viewOf(image, shape, strides, image.offset);
}

/// filters (groups, filters, patch) times patches (batch, groups, patch, output).
Result<TensorPtr> filtered(OperationContext &context, const TensorPtr &image, const TensorPtr &filters,
                           const Window &window, const Dims &output, int64_t groups) {
  auto wide = padded(context, image, window.padding, Number::of(int64_t(0)));
  if (!wide)
    return wide;
  auto columns = reshaped(
      context, patches(**wide, window, output),
      {image->shape[0], groups, elementCount(filters->shape) / filters->shape[0], elementCount(output)});
  auto rows =
      reshaped(context, filters,
               {groups, filters->shape[0] / groups, elementCount(filters->shape) / filters->shape[0]});
  if (!columns || !rows)
    return columns ? rows : columns;
  auto product = matmul(context, "conv", *rows, *columns);
  Dims shape{image->shape[0], filters->shape[0]};
  shape.insert(shape.end(), output.begin(), output.end());
  return product ? viewAs(*product, shape) : product;
}

/// One number a filter, added to all of its output.
Result<TensorPtr> biased(OperationContext &context, const TensorPtr &result, TensorPtr bias) {
  for (int64_t d = 2; d < result->rank(); ++d)
    bias = unsqueezed(*bias, bias->rank());
  return binaryElementwise(context, "conv", BinaryFunction::Add, {result, {}}, {bias, {}}, result);
}

bool filtersFit(Call &call, const TensorObject &image, const TensorObject &filters, int64_t groups) {
  if (groups < 1 || image.shape[1] != filters.shape[1] * groups || filters.shape[0] % groups != 0)
    call.fail(
        {"channels-mismatch", {shapeText(image.shape), shapeText(filters.shape), std::to_string(groups)}},
        "weight");
  else if (image.type != filters.type)
    call.fail({"matmul-type", {typeText(image.type), typeText(filters.type)}}, "weight");
  return !call.failed();
}

/// "valid" is none, "same" what keeps the size, where it is the same on both sides.
Dims paddingOf(Call &call, const Window &window) {
  const std::string *named = call.value("padding").asString();
  if (!named)
    return perDimension(call, "padding", window.kernel.size(), 0);
  Dims padding(window.kernel.size(), 0);
  bool fits = *named == "valid" || *named == "same";
  for (size_t d = 0; fits && *named == "same" && d < padding.size(); ++d) {
    const int64_t both = window.dilation[d] * (window.kernel[d] - 1);
    padding[d] = both / 2;
    fits = both % 2 == 0 && window.stride[d] == 1;
  }
  if (!fits)
    call.fail({"operation-argument-value", {"padding", *named}}, "padding");
  return padding;
}

template <int64_t Rank> Result<Value> convolution(Call &call) {
  auto image = imageOf(call, Rank), filters = call.tensor("weight");
  const int64_t groups = call.integer("groups");
  if (call.failed())
    return call.error();
  if (filters->rank() != Rank + 2)
    return call.fail({"wrong-rank",
                      {std::string(call.name()), std::to_string(Rank + 2), shapeText(image->shape),
                       shapeText(filters->shape)}},
                     "weight");
  Window window{{filters->shape.begin() + 2, filters->shape.end()},
                perDimension(call, "stride", Rank, 1),
                {},
                perDimension(call, "dilation", Rank, 1)};
  window.padding = paddingOf(call, window);
  const TensorPtr bias = call.has("bias") ? call.tensor("bias") : nullptr;
  if (call.failed() || !filtersFit(call, *image, *filters, groups))
    return call.error();
  if (bias && bias->shape != Dims{filters->shape[0]})
    return call.fail({"shape-mismatch-in-place", {shapeText({filters->shape[0]}), shapeText(bias->shape)}},
                     "bias");
  const Dims output = outputSize(call, *image, window);
  if (call.failed())
    return call.error();
  if (!call.context.checking() && !call.context.settle())
    return stopped();
  SilentContext silent(call.context);
  auto result = filtered(silent, image, filters, window, output, groups);
  if (result && bias)
    result = biased(silent, *result, bias);
  if (result && !call.context.checking()) {
    const std::array reads{Operand{image, {}}, Operand{filters, {}}, Operand{bias, {}}};
    charge(call.context, call.name(), reads, {&*result, 1});
  }
  return likeInput(call, Rank, result);
}

Window windowOf(Call &call, int64_t rank, bool strideIsKernel) {
  const auto count = static_cast<size_t>(rank);
  Window window{perDimension(call, "kernel_size", count, 1), {}, perDimension(call, "padding", count, 0), {}};
  window.stride =
      strideIsKernel && call.isNone("stride") ? window.kernel : perDimension(call, "stride", count, 1);
  window.dilation = call.has("dilation") ? perDimension(call, "dilation", count, 1) : Dims(count, 1);
  return window;
}

/// The largest or the mean of each window.
template <int64_t Rank, Reduction R> Result<Value> pool(Call &call) {
  auto image = imageOf(call, Rank);
  const Window window = windowOf(call, Rank, true);
  if (call.failed())
    return call.error();
  if (!isFloat(image->type))
    return call.fail({"floats-only", {std::string(call.name()), typeText(image->type)}}, "input");
  const Dims output = outputSize(call, *image, window);
  Dims shape{image->shape[0], image->shape[1]};
  shape.insert(shape.end(), output.begin(), output.end());
  if (call.failed())
    return call.error();
  auto result = newTensor(call.context, shape, image->type, image->onGpu);
  if (!result || call.context.checking())
    return likeInput(call, Rank, result);
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  const Number filling = R == Reduction::Maximum ? Number::of(-Infinity) : Number::of(int64_t(0));
  if (!call.context.settle())
    return stopped();
  auto wide = padded(call.context, image, window.padding, filling);
  if (!wide)
    return wide.error();
  std::vector<bool> reduced(2 + 2 * Rank, false);
  std::fill_n(reduced.begin() + 2, Rank, true);
  if (!reduceElements(call.context, R, 0, *patches(**wide, window, output), reduced, {*result, nullptr}))
    return stopped();
  const Operand read{image, {}};
  charge(call.context, call.name(), {&read, 1}, {&*result, 1});
  return likeInput(call, Rank, result);
}

/// F.unfold: the patches of an image as columns.
Result<Value> unfold(Call &call) {
  auto image = imageOf(call, 2);
  const Window window = windowOf(call, 2, false);
  if (call.failed())
    return call.error();
  const Dims output = outputSize(call, *image, window);
  if (call.failed())
    return call.error();
  if (!call.context.checking() && !call.context.settle())
    return stopped();
  auto wide = padded(call.context, image, window.padding, Number::of(int64_t(0)));
  if (!wide)
    return wide.error();
  auto view = patches(**wide, window, output);
  auto result = newTensor(call.context, view->shape, view->type, view->onGpu);
  if (result && !call.context.checking()) {
    if (!copyElements(call.context, *view, **result))
      return stopped();
    const Operand read{image, {}};
    charge(call.context, call.name(), {&read, 1}, {&*result, 1});
  }
  if (result)
    result = viewAs(*result,
                    {image->shape[0], image->shape[1] * elementCount(window.kernel), elementCount(output)});
  return likeInput(call, 2, result);
}

/// What a loss makes of one number an element: all of them, their sum, or their mean.
Result<TensorPtr> summedUp(Call &call, const TensorPtr &losses, double count) {
  const std::string how = call.text("reduction");
  if (call.failed() || how == "none")
    return call.failed() ? Result<TensorPtr>(call.error()) : losses;
  if (how != "sum" && how != "mean" && how != "batchmean")
    return call.fail({"operation-argument-value", {"reduction", how}}, "reduction");
  OperationContext &context = call.context;
  auto result = newTensor(context, {}, losses->type, losses->onGpu);
  if (!result || context.checking())
    return result;
  const std::vector<bool> all(losses->shape.size(), true);
  if (!context.settle() || !reduceElements(context, Reduction::Sum, 0, *losses, all, {*result, nullptr}))
    return stopped();
  const Operand read{losses, {}};
  charge(context, how, {&read, 1}, {&*result, 1});
  if (how == "sum")
    return result;
  SilentContext silent(context);
  return binaryElementwise(silent, "mean", BinaryFunction::Divide, {*result, {}},
                           {nullptr, Number::of(count)});
}

constexpr auto SquaredDifference = [](auto a, auto b) { return (a - b) * (a - b); };
constexpr auto AbsoluteDifference = [](auto a, auto b) { return functions::Absolute(decltype(a)(a - b)); };
/// target * (log(target) - input), and 0 where the target is.
constexpr auto Divergence = [](auto input, auto target) {
  using C = decltype(input);
  return target > C(0) ? static_cast<C>(target * (functions::Log(target) - input)) : C(0);
};

template <auto F> Result<Value> elementLoss(Call &call) {
  auto input = call.tensor("input"), target = call.tensor("target");
  if (call.failed())
    return call.error();
  auto losses = elementwise(call.context, {call.name(), elementFunction<F, 2>, ResultRule::Floating},
                            {{input, {}}, {target, {}}});
  if (!losses)
    return losses.error();
  const bool byRow = call.text("reduction") == "batchmean" && !input->shape.empty();
  return call.finish(summedUp(call, *losses, double(byRow ? input->shape[0] : (*losses)->elements())));
}

/// Minus the logarithm of the target's probability, row by row; a target that is to be ignored gives 0.
Result<TensorPtr> negativeLogs(Call &call, const TensorPtr &logs, const TensorPtr &target, int64_t &counted) {
  OperationContext &context = call.context;
  if (auto error = tooManyPlaces(target->shape))
    return call.fail(*error, "target");
  const int64_t classes = logs->shape[1], ignored = call.integer("ignore_index");
  auto losses = newTensor(context, target->shape, logs->type, logs->onGpu);
  if (!losses || context.checking())
    return losses;
  if (!context.settle())
    return stopped();
  std::vector<int64_t> places = integersOf(*target);
  for (size_t row = 0; row < places.size(); ++row) {
    const int64_t label = places[row];
    if (label != ignored && (label < 0 || label >= classes))
      return call.fail({"tensor-index-out-of-range", {std::to_string(label), "1", std::to_string(classes)}},
                       "target");
    counted += label != ignored;
    places[row] =
        label == ignored ? Nowhere : static_cast<int64_t>(row) * logs->strides[0] + label * logs->strides[1];
  }
  auto chosen = newTensor(context, target->shape, logs->type, logs->onGpu);
  if (!chosen || !pickElements(context, *logs, places, **chosen))
    return chosen ? stopped() : chosen.error();
  SilentContext silent(context);
  losses = negated(silent, *chosen);
  const std::array reads{Operand{*chosen, {}}, Operand{target, {}}};
  if (losses)
    charge(context, "nll_loss", reads, {&*losses, 1});
  return losses;
}

/// nll_loss of logarithms, and cross_entropy of scores, whose logarithms of probabilities come first.
template <bool Scores> Result<Value> labelLoss(Call &call) {
  auto input = call.tensor("input"), target = call.tensor("target");
  if (call.failed())
    return call.error();
  if (input->rank() != 2 || target->rank() != 1 || input->shape[0] != target->shape[0] ||
      isFloat(target->type))
    return call.fail({"label-shapes", {shapeText(input->shape), shapeText(target->shape)}}, "target");
  OperationContext &context = call.context;
  TensorPtr logs = input;
  if (Scores) {
    auto made = newTensor(context, input->shape, input->type, input->onGpu);
    if (!made)
      return made.error();
    logs = *made;
    if (!context.checking()) {
      if (!context.settle() || !softmaxRows(context, RowOperation::LogSoftmax, *input, 1, *logs))
        return stopped();
      const Operand read{input, {}};
      charge(context, "log_softmax", {&read, 1}, {&logs, 1}, 3);
    }
  }
  int64_t counted = 0;
  auto losses = negativeLogs(call, logs, target, counted);
  return losses ? call.finish(summedUp(call, *losses, double(counted))) : call.finish(losses);
}

#define CONVOLUTION "input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1"
#define LOSS "input, target, size_average=None, reduce=None, reduction='mean'"
#define LABELS                                                                                               \
  "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'"

constexpr OperationRow Rows[] = {
    {"conv1d", Torch | Functional, CONVOLUTION, convolution<1>},
    {"conv2d", Torch | Functional, CONVOLUTION, convolution<2>},
    {"max_pool1d", Functional, "input, kernel_size, stride=None, padding=0, dilation=1",
     pool<1, Reduction::Maximum>},
    {"max_pool2d", Functional, "input, kernel_size, stride=None, padding=0, dilation=1",
     pool<2, Reduction::Maximum>},
    {"avg_pool1d", Functional, "input, kernel_size, stride=None, padding=0", pool<1, Reduction::Mean>},
    {"avg_pool2d", Functional, "input, kernel_size, stride=None, padding=0", pool<2, Reduction::Mean>},
    {"unfold", Functional, "input, kernel_size, dilation=1, padding=0, stride=1", unfold},
    {"mse_loss", Functional, LOSS, elementLoss<SquaredDifference>},
    {"l1_loss", Functional, LOSS, elementLoss<AbsoluteDifference>},
    {"kl_div", Functional, LOSS, elementLoss<Divergence>},
    {"nll_loss", Functional, LABELS, labelLoss<false>},
    {"cross_entropy", Functional, LABELS, labelLoss<true>},
};

#undef CONVOLUTION
#undef LOSS
#undef LABELS

} // namespace

std::span<const OperationRow> networkRows() { return Rows; }

} // namespace tilescope::host
