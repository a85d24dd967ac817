// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting along the last axis by a bitonic network (Batcher 1968), with Triton's comparisons: an element is
// exchanged for its partner by `greater`, so that NaN and zeros of both signs end up where Triton has them.
#include "compiler/Frontend/Prelude.h"

namespace tilescope::frontend {

const char *const sortPrelude = R"py(
# One step: elements 2**bit apart are put in order. `order` 0 is ascending, 1 descending; 2 alternates, so
# that runs of 2**run elements ascend and descend by turns.
def _exchange(x, bit: tl.constexpr, run: tl.constexpr, order: tl.constexpr):
    pairs = tl.reshape(x, (x.numel >> (bit + 1), 2, 1 << bit))
    partner = _swapped(_bits(pairs), 1).to(x.dtype, bitcast=True)
    turned = tl.arange(0, 2)[None, :, None]
    if order == 1:
        turned = turned ^ 1
    elif order == 2:
        place = tl.arange(0, x.numel >> (bit + 1))[:, None, None]
        turned = turned ^ ((place >> (run - bit - 1)) & 1)
    return tl.where((pairs > partner) != turned.to(tl.int1), partner, pairs)

# Runs of 2**run elements that first rise and then fall, or the other way round, become sorted ones.
def _merge_runs(x, run: tl.constexpr, order: tl.constexpr):
    for i in tl.static_range(run):
        x = _exchange(x, run - 1 - i, run, order)
    return x

# Of each pair of runs of 2**run elements the greater (lesser) half: a rising and falling run of that length.
def _select_runs(x, run: tl.constexpr, order: tl.constexpr):
    pairs = tl.reshape(x, (x.numel >> (run + 1), 2, 1 << run))
    return tl.max(pairs, 1) if order == 1 else tl.min(pairs, 1)

def _last_axis(x, name: tl.constexpr, dim: tl.constexpr):
    rank: tl.constexpr = len(x.shape)
    tl._require(dim is None or dim == rank - 1, "last-axis-only", name, rank - 1)

def _sorted(x, k: tl.constexpr, order: tl.constexpr):
    length: tl.constexpr = x.shape[-1]
    log_n: tl.constexpr = tl.standard._log2(length)
    log_k: tl.constexpr = tl.standard._log2(k)
    if log_k == 0:
        return tl.max(x, len(x.shape) - 1, keep_dims=True) if order == 1 else tl.min(x, len(x.shape) - 1, keep_dims=True)
    h = x
    for i in tl.static_range(1, log_k + 1):
        h = _merge_runs(h, i, 2 if i < log_n else order)
    for i in tl.static_range(log_k + 1, log_n + 1):
        h = _select_runs(h, log_k, order)
        h = _merge_runs(h, log_k, 2 if i < log_n else order)
    return tl.reshape(h, x.shape[:-1] + (k,))

@method
def sort(x, dim: tl.constexpr = None, descending: tl.constexpr = False):
    _last_axis(x, "sort", dim)
    return _sorted(x, x.shape[-1], 1 if descending else 0)

def topk(x, k: tl.constexpr, dim: tl.constexpr = None, descending: tl.constexpr = True):
    _last_axis(x, "topk", dim)
    tl._require(0 < k and k <= x.shape[-1] and (k & (k - 1)) == 0, "topk-size", k, x.shape[-1])
    return _sorted(x, k, 1 if descending else 0)

def bitonic_merge(x, dim: tl.constexpr = None, descending: tl.constexpr = False):
    _last_axis(x, "bitonic_merge", dim)
    merged = _merge_runs(x, tl.standard._log2(x.shape[-1]), 1 if descending else 0)
    return tl.reshape(merged, x.shape)
)py";

} // namespace tilescope::frontend
