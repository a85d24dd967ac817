// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers, bit patterns, and questions about a number: exact on every machine.
#include "compiler/Interpreter/LibdeviceTable.h"

#include <algorithm>

namespace tilescope::interp {

namespace {

/// 24 bits, the sign among them for int32_t.
template <typename T> T low24(T x) {
  return static_cast<T>(static_cast<T>(static_cast<uint32_t>(x) << 8) >> 8);
}

template <typename T> T reversed(T x) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i)
    result = static_cast<T>(result << 1 | (x >> i & 1));
  return result;
}

/// Byte k of the result is the one of the eight that the k-th hexadecimal digit of `selector` names by its
/// low three bits.
int32_t bytePermutation(int32_t low, int32_t high, int32_t selector) {
  const uint64_t bytes = uint64_t(static_cast<uint32_t>(high)) << 32 | static_cast<uint32_t>(low);
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= static_cast<uint32_t>(bytes >> (8 * (selector >> (4 * i) & 7)) & 0xff) << (8 * i);
  return static_cast<int32_t>(result);
}

/// |x - y| + z, wrapped.
template <typename T> uint32_t sumOfDifference(T x, T y, uint32_t z) {
  return static_cast<uint32_t>(std::max(x, y)) - static_cast<uint32_t>(std::min(x, y)) + z;
}

template <typename Product, typename T> T highProduct(T x, T y) {
  return static_cast<T>((Product(x) * Product(y)) >> (8 * sizeof(T)));
}

template <typename T> T halfSum(T x, T y, int roundUp) {
  return static_cast<T>((int64_t(x) + int64_t(y) + roundUp) >> 1);
}

void addIntegers(LibdeviceTable &table) {
  table.add<int32_t(uint32_t)>("clz", [](uint32_t x) { return std::countl_zero(x); });
  table.add<int32_t(uint64_t)>("clzll", [](uint64_t x) { return std::countl_zero(x); });
  table.add<int32_t(uint32_t)>("popc", [](uint32_t x) { return std::popcount(x); });
  table.add<int32_t(uint64_t)>("popcll", [](uint64_t x) { return std::popcount(x); });
  table.add<int32_t(uint32_t)>("ffs", [](uint32_t x) { return x ? std::countr_zero(x) + 1 : 0; });
  table.add<int32_t(uint64_t)>("ffsll", [](uint64_t x) { return x ? std::countr_zero(x) + 1 : 0; });
  table.add<uint32_t(uint32_t)>("brev", [](uint32_t x) { return reversed(x); });
  table.add<uint64_t(uint64_t)>("brevll", [](uint64_t x) { return reversed(x); });
  table.add<int32_t(int32_t, int32_t, int32_t)>("byte_perm", [](int32_t low, int32_t high, int32_t selector) {
    return bytePermutation(low, high, selector);
  });
  table.add<uint32_t(uint32_t)>("abs", [](uint32_t x) { return x >> 31 ? 0 - x : x; });
  table.add<uint64_t(uint64_t)>("llabs", [](uint64_t x) { return x >> 63 ? 0 - x : x; });
  table.add<uint32_t(int32_t, int32_t, uint32_t)>(
      "sad", [](int32_t x, int32_t y, uint32_t z) { return sumOfDifference(x, y, z); });
  table.add<uint32_t(uint32_t, uint32_t, uint32_t)>(
      "usad", [](uint32_t x, uint32_t y, uint32_t z) { return sumOfDifference(x, y, z); });
}

void addProducts(LibdeviceTable &table) {
  table.add<int32_t(int32_t, int32_t)>("mulhi",
                                       [](int32_t x, int32_t y) { return highProduct<int64_t>(x, y); });
  table.add<uint32_t(uint32_t, uint32_t)>("umulhi",
                                          [](uint32_t x, uint32_t y) { return highProduct<uint64_t>(x, y); });
  table.add<int64_t(int64_t, int64_t)>("mul64hi",
                                       [](int64_t x, int64_t y) { return highProduct<__int128>(x, y); });
  table.add<uint64_t(uint64_t, uint64_t)>(
      "umul64hi", [](uint64_t x, uint64_t y) { return highProduct<unsigned __int128>(x, y); });
  table.add<uint32_t(int32_t, int32_t)>("mul24", [](int32_t x, int32_t y) {
    return static_cast<uint32_t>(low24(x)) * static_cast<uint32_t>(low24(y));
  });
  table.add<uint32_t(uint32_t, uint32_t)>("umul24",
                                          [](uint32_t x, uint32_t y) { return low24(x) * low24(y); });
  table.add<int32_t(int32_t, int32_t)>("hadd", [](int32_t x, int32_t y) { return halfSum(x, y, 0); });
  table.add<uint32_t(uint32_t, uint32_t)>("uhadd", [](uint32_t x, uint32_t y) { return halfSum(x, y, 0); });
  table.add<int32_t(int32_t, int32_t)>("rhadd", [](int32_t x, int32_t y) { return halfSum(x, y, 1); });
  table.add<uint32_t(uint32_t, uint32_t)>("urhadd", [](uint32_t x, uint32_t y) { return halfSum(x, y, 1); });
}

void addPatterns(LibdeviceTable &table) {
  table.add<float(int32_t)>("int_as_float", [](int32_t x) { return std::bit_cast<float>(x); });
  table.add<float(uint32_t)>("uint_as_float", [](uint32_t x) { return std::bit_cast<float>(x); });
  table.add<int32_t(float)>("float_as_int", [](float x) { return std::bit_cast<int32_t>(x); });
  table.add<int32_t(float)>("float_as_uint", [](float x) { return std::bit_cast<int32_t>(x); });
  table.add<double(int64_t)>("longlong_as_double", [](int64_t x) { return std::bit_cast<double>(x); });
  table.add<int64_t(double)>("double_as_longlong", [](double x) { return std::bit_cast<int64_t>(x); });
  table.add<int32_t(double)>("double2loint",
                             [](double x) { return std::bit_cast<uint64_t>(x) & 0xffffffff; });
  table.add<int32_t(double)>("double2hiint", [](double x) { return std::bit_cast<int64_t>(x) >> 32; });
  table.add<double(uint32_t, uint32_t)>("hiloint2double", [](uint32_t high, uint32_t low) {
    return std::bit_cast<double>(uint64_t(high) << 32 | low);
  });
}

void addQuestions(LibdeviceTable &table) {
  table.add<int32_t(float)>("isnanf", [](float x) { return std::isnan(x); });
  table.add<int32_t(double)>("isnand", [](double x) { return std::isnan(x); });
  table.add<int32_t(float)>("isinff", [](float x) { return std::isinf(x); });
  table.add<int32_t(double)>("isinfd", [](double x) { return std::isinf(x); });
  table.add<int32_t(float)>("finitef", [](float x) { return std::isfinite(x); });
  table.add<int32_t(double)>("isfinited", [](double x) { return std::isfinite(x); });
  table.add<int32_t(float)>("signbitf", [](float x) { return std::signbit(x); });
  table.add<int32_t(double)>("signbitd", [](double x) { return std::signbit(x); });
  table.add<int32_t(float)>("ilogbf", [](float x) { return std::ilogb(flushed(x)); });
  table.add<int32_t(double)>("ilogb", [](double x) { return std::ilogb(x); });
}

} // namespace

void addBits(LibdeviceTable &table) {
  addIntegers(table);
  addProducts(table);
  addPatterns(table);
  addQuestions(table);
}

} // namespace tilescope::interp
