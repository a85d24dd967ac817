// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers by Philox 4x32 and 4x64 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011), the same as Triton's for the same seed.
#include "compiler/Frontend/Prelude.h"

namespace tilescope::frontend {

const char *const randomPrelude = R"py(
def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds: tl.constexpr = 10):
    if c0.dtype == tl.uint32:
        key_a: tl.constexpr = 0x9E3779B9
        key_b: tl.constexpr = 0xBB67AE85
        round_a: tl.constexpr = 0xD2511F53
        round_b: tl.constexpr = 0xCD9E8D57
    else:
        tl._require(c0.dtype == tl.uint64, "dtype-not-supported", "philox_impl", "uint32, uint64", c0.type)
        key_a: tl.constexpr = 0x9E3779B97F4A7C15
        key_b: tl.constexpr = 0xBB67AE8584CAA73B
        round_a: tl.constexpr = 0xD2E7470EE14C6C93
        round_b: tl.constexpr = 0xCA5A826395121157
    for i in tl.static_range(n_rounds):
        left, right = c0, c2
        c0 = tl.umulhi(round_b, right) ^ c1 ^ k0
        c2 = tl.umulhi(round_a, left) ^ c3 ^ k1
        c1 = right * round_b
        c3 = left * round_a
        k0 = k0 + key_a
        k1 = k1 + key_b
    return c0, c1, c2, c3

# The 64-bit form has the whole seed as its first key word and none as its second.
def philox(seed, c0, c1, c2, c3, n_rounds: tl.constexpr = 10):
    seed = tl.to_tensor(seed)
    tl._require(seed.dtype.is_int(), "dtype-not-supported", "philox", "int", seed.type)
    c0, c1, c2, c3 = tl.to_tensor(c0), tl.to_tensor(c1), tl.to_tensor(c2), tl.to_tensor(c3)
    seed = seed.to(tl.uint64)
    width: tl.constexpr = c0.dtype.primitive_bitwidth
    tl._require(width == 32 or width == 64, "dtype-not-supported", "philox", "int32, int64", c0.type)
    word: tl.constexpr = tl.uint32 if width == 32 else tl.uint64
    if width == 32:
        low = (seed & 0xffffffff).to(tl.uint32)
        high = ((seed >> 32) & 0xffffffff).to(tl.uint32)
    else:
        low = seed
        high = tl.full((1,), 0, tl.uint64)
    return philox_impl(c0.to(word, bitcast=True), c1.to(word, bitcast=True), c2.to(word, bitcast=True),
                       c3.to(word, bitcast=True), low, high, n_rounds)

def randint4x(seed, offset, n_rounds: tl.constexpr = 10):
    low = offset.to(tl.uint32)
    zero = low * 0
    high = (offset >> 32).to(tl.uint32) if offset.dtype.primitive_bitwidth > 32 else zero
    return philox(seed, low, high, zero, zero, n_rounds)

def randint(seed, offset, n_rounds: tl.constexpr = 10):
    return randint4x(seed, offset, n_rounds)[0]

# In [0, 1): the factor is the greatest fp32 that keeps the greatest integer below 1.
def uint_to_uniform_float(x):
    if x.dtype == tl.uint32 or x.dtype == tl.int32:
        whole = x.to(tl.int32, bitcast=True)
        scale = 4.6566127342e-10
    else:
        tl._require(x.dtype == tl.uint64 or x.dtype == tl.int64, "dtype-not-supported", "uint_to_uniform_float",
                    "int32, int64, uint32, uint64", x.type)
        whole = x.to(tl.int64, bitcast=True)
        scale = 1.0842020432385337e-19
    return tl.where(whole < 0, ~whole, whole) * scale

def rand(seed, offset, n_rounds: tl.constexpr = 10):
    return uint_to_uniform_float(randint(seed, offset, n_rounds))

def rand4x(seed, offsets, n_rounds: tl.constexpr = 10):
    a, b, c, d = randint4x(seed, offsets, n_rounds)
    return uint_to_uniform_float(a), uint_to_uniform_float(b), uint_to_uniform_float(c), uint_to_uniform_float(d)

# Box and Muller (1958).
def pair_uniform_to_normal(u1, u2):
    radius = tl.sqrt(-2.0 * tl.log(tl.maximum(1.0e-7, u1)))
    angle = 6.283185307179586 * u2
    return radius * tl.cos(angle), radius * tl.sin(angle)

def randn(seed, offset, n_rounds: tl.constexpr = 10):
    a, b, _, _ = randint4x(seed, offset, n_rounds)
    return pair_uniform_to_normal(uint_to_uniform_float(a), uint_to_uniform_float(b))[0]

def randn4x(seed, offset, n_rounds: tl.constexpr = 10):
    a, b, c, d = rand4x(seed, offset, n_rounds)
    n1, n2 = pair_uniform_to_normal(a, b)
    n3, n4 = pair_uniform_to_normal(c, d)
    return n1, n2, n3, n4
)py";

} // namespace tilescope::frontend
