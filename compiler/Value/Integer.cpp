// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's int: machine words as long as they suffice, Boost's cpp_int beyond. The only file that includes
// Boost.
#include "compiler/Value/Integer.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <bit>
#include <cmath>
#include <limits>

namespace tilescope {

using boost::multiprecision::cpp_int;

struct Integer::Big {
  cpp_int value;

  static cpp_int widen(const Integer &i) { return i.m_big ? i.m_big->value : cpp_int(i.m_small); }

  /// The canonical form: a word if it fits.
  static Integer narrow(cpp_int value) {
    static const cpp_int Lowest(std::numeric_limits<int64_t>::min());
    static const cpp_int Highest(std::numeric_limits<int64_t>::max());
    if (value >= Lowest && value <= Highest)
      return Integer(static_cast<int64_t>(value));
    Integer result;
    result.m_big = std::make_shared<const Big>(Big{std::move(value)});
    return result;
  }
};

namespace {

unsigned baseOf(std::string_view &digits) {
  if (digits.size() < 2 || digits[0] != '0')
    return 10;
  switch (digits[1]) {
  case 'x':
  case 'X':
    digits.remove_prefix(2);
    return 16;
  case 'o':
  case 'O':
    digits.remove_prefix(2);
    return 8;
  case 'b':
  case 'B':
    digits.remove_prefix(2);
    return 2;
  default:
    return 10;
  }
}

unsigned digitValue(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99;
}

/// As many digits as fit a word are gathered before the large number is touched.
cpp_int parseDigits(std::string_view digits, unsigned base) {
  cpp_int result = 0;
  uint64_t chunk = 0, scale = 1;
  for (char c : digits) {
    chunk = chunk * base + digitValue(c);
    scale *= base;
    if (scale >= uint64_t(1) << 58) {
      result = result * scale + chunk;
      chunk = 0;
      scale = 1;
    }
  }
  return result * scale + chunk;
}

} // namespace

std::optional<Integer> Integer::parse(std::string_view digits) {
  unsigned base = baseOf(digits);
  if (digits.empty())
    return std::nullopt;
  for (char c : digits)
    if (digitValue(c) >= base)
      return std::nullopt;
  return Big::narrow(parseDigits(digits, base));
}

std::optional<Integer> Integer::fromDouble(double value) {
  if (!std::isfinite(value))
    return std::nullopt;
  value = std::trunc(value);
  if (std::abs(value) < 9.0e18)
    return Integer(static_cast<int64_t>(value));
  int exponent = 0;
  double mantissa = std::frexp(value, &exponent); // |mantissa| < 1, 53 bits of it matter
  cpp_int whole(static_cast<int64_t>(std::ldexp(mantissa, 53)));
  return Big::narrow(whole << (exponent - 53));
}

std::optional<int64_t> Integer::toInt64() const {
  if (m_big)
    return std::nullopt;
  return m_small;
}

double Integer::toDouble() const {
  if (!m_big)
    return static_cast<double>(m_small);
  // The top 64 bits with a sticky last bit round once, to even, as the whole number would.
  cpp_int magnitude = abs(m_big->value);
  uint64_t bits = msb(magnitude) + 1;
  if (bits > 1024)
    return m_big->value < 0 ? -HUGE_VAL : HUGE_VAL;
  uint64_t dropped = bits - 64;
  cpp_int shifted = magnitude >> dropped;
  uint64_t top = static_cast<uint64_t>(shifted);
  if (dropped && (shifted << dropped) != magnitude)
    top |= 1;
  double result = std::ldexp(static_cast<double>(top), static_cast<int>(dropped));
  return m_big->value < 0 ? -result : result;
}

std::string Integer::toString() const { return m_big ? m_big->value.str() : std::to_string(m_small); }

bool Integer::isNegative() const { return m_big ? m_big->value < 0 : m_small < 0; }

uint64_t Integer::bitLength() const {
  if (m_big)
    return msb(cpp_int(abs(m_big->value))) + 1;
  uint64_t magnitude = m_small < 0 ? 0 - static_cast<uint64_t>(m_small) : static_cast<uint64_t>(m_small);
  return std::bit_width(magnitude);
}

size_t Integer::hash() const {
  return m_big ? boost::multiprecision::hash_value(m_big->value) : std::hash<int64_t>()(m_small);
}

Integer operator+(const Integer &a, const Integer &b) {
  int64_t result;
  if (!a.m_big && !b.m_big && !__builtin_add_overflow(a.m_small, b.m_small, &result))
    return result;
  return Integer::Big::narrow(Integer::Big::widen(a) + Integer::Big::widen(b));
}

Integer operator-(const Integer &a, const Integer &b) {
  int64_t result;
  if (!a.m_big && !b.m_big && !__builtin_sub_overflow(a.m_small, b.m_small, &result))
    return result;
  return Integer::Big::narrow(Integer::Big::widen(a) - Integer::Big::widen(b));
}

Integer operator*(const Integer &a, const Integer &b) {
  int64_t result;
  if (!a.m_big && !b.m_big && !__builtin_mul_overflow(a.m_small, b.m_small, &result))
    return result;
  return Integer::Big::narrow(Integer::Big::widen(a) * Integer::Big::widen(b));
}

Integer operator-(const Integer &a) { return Integer(0) - a; }

Integer operator~(const Integer &a) { return Integer(-1) - a; }

namespace {

/// Number of words, of 32 bits, that hold a value in two's complement.
size_t wordsFor(const cpp_int &value) { return value == 0 ? 1 : msb(cpp_int(abs(value))) / 32 + 2; }

/// Two's complement in `bits` bits, so that & | ^ mean what Python says for negative numbers.
cpp_int wrap(const cpp_int &value, size_t bits) { return value < 0 ? (cpp_int(1) << bits) + value : value; }
cpp_int unwrap(const cpp_int &value, size_t bits) {
  return bit_test(value, static_cast<unsigned>(bits - 1)) ? value - (cpp_int(1) << bits) : value;
}

template <typename Combine> cpp_int bitwise(const cpp_int &a, const cpp_int &b, Combine combine) {
  size_t bits = 32 * std::max(wordsFor(a), wordsFor(b));
  return unwrap(cpp_int(combine(wrap(a, bits), wrap(b, bits))), bits);
}

} // namespace

Integer operator&(const Integer &a, const Integer &b) {
  if (!a.m_big && !b.m_big)
    return a.m_small & b.m_small;
  auto combine = [](const cpp_int &x, const cpp_int &y) { return cpp_int(x & y); };
  return Integer::Big::narrow(bitwise(Integer::Big::widen(a), Integer::Big::widen(b), combine));
}

Integer operator|(const Integer &a, const Integer &b) {
  if (!a.m_big && !b.m_big)
    return a.m_small | b.m_small;
  auto combine = [](const cpp_int &x, const cpp_int &y) { return cpp_int(x | y); };
  return Integer::Big::narrow(bitwise(Integer::Big::widen(a), Integer::Big::widen(b), combine));
}

Integer operator^(const Integer &a, const Integer &b) {
  if (!a.m_big && !b.m_big)
    return a.m_small ^ b.m_small;
  auto combine = [](const cpp_int &x, const cpp_int &y) { return cpp_int(x ^ y); };
  return Integer::Big::narrow(bitwise(Integer::Big::widen(a), Integer::Big::widen(b), combine));
}

Integer Integer::floorDiv(const Integer &a, const Integer &b) {
  if (!a.m_big && !b.m_big && b.m_small != -1) {
    int64_t quotient = a.m_small / b.m_small;
    bool inexact = a.m_small % b.m_small != 0;
    return quotient - (inexact && (a.m_small < 0) != (b.m_small < 0));
  }
  cpp_int quotient, remainder;
  divide_qr(Big::widen(a), Big::widen(b), quotient, remainder);
  if (remainder != 0 && (remainder < 0) != b.isNegative())
    --quotient;
  return Big::narrow(std::move(quotient));
}

Integer Integer::floorMod(const Integer &a, const Integer &b) {
  if (!a.m_big && !b.m_big && b.m_small != -1) {
    int64_t remainder = a.m_small % b.m_small;
    return remainder != 0 && (remainder < 0) != (b.m_small < 0) ? remainder + b.m_small : remainder;
  }
  cpp_int divisor = Big::widen(b);
  cpp_int remainder = Big::widen(a) % divisor;
  if (remainder != 0 && (remainder < 0) != (divisor < 0))
    remainder += divisor;
  return Big::narrow(std::move(remainder));
}

Integer Integer::pow(const Integer &base, uint64_t exponent) {
  Integer result(1), square(base);
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = result * square;
    if (exponent > 1)
      square = square * square;
  }
  return result;
}

Integer Integer::shiftLeft(const Integer &a, uint64_t bits) {
  if (a.isZero())
    return a;
  if (!a.m_big && bits < 62 && a.bitLength() + bits < 63)
    return a.m_small * (int64_t(1) << bits);
  return Big::narrow(Big::widen(a) << bits);
}

Integer Integer::shiftRight(const Integer &a, uint64_t bits) {
  if (!a.m_big)
    return a.m_small >> (bits > 63 ? 63 : bits);
  if (bits >= a.bitLength())
    return a.isNegative() ? -1 : 0;
  return floorDiv(a, Big::narrow(cpp_int(1) << bits));
}

bool operator==(const Integer &a, const Integer &b) {
  if (!a.m_big && !b.m_big)
    return a.m_small == b.m_small;
  return a.m_big && b.m_big && a.m_big->value == b.m_big->value;
}

std::strong_ordering operator<=>(const Integer &a, const Integer &b) {
  if (!a.m_big && !b.m_big)
    return a.m_small <=> b.m_small;
  int order = Integer::Big::widen(a).compare(Integer::Big::widen(b));
  return order <=> 0;
}

} // namespace tilescope
