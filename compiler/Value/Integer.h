// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's int: unbounded. Small ones are a machine word; large ones are Boost's cpp_int, kept out of this
// header because it is slow to compile.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope {

class Integer {
public:
  struct Big; ///< holds the cpp_int; defined in Integer.cpp

  Integer(int64_t value = 0) : m_small(value) {}
  /// Digits as Python writes them: "12", "0x1F", "0b1", "0o7" (no sign, no underscores). Nothing if
  /// malformed.
  static std::optional<Integer> parse(std::string_view digits);
  /// Truncates toward zero; nothing for an infinity or NaN.
  static std::optional<Integer> fromDouble(double value);

  std::optional<int64_t> toInt64() const;
  /// Correctly rounded; infinite where it is too large.
  double toDouble() const;
  std::string toString() const;
  bool isZero() const { return !m_big && m_small == 0; }
  bool isNegative() const;
  /// Bits needed without the sign, as int.bit_length().
  uint64_t bitLength() const;
  size_t hash() const;

  friend Integer operator+(const Integer &a, const Integer &b);
  friend Integer operator-(const Integer &a, const Integer &b);
  friend Integer operator*(const Integer &a, const Integer &b);
  friend Integer operator-(const Integer &a);
  friend Integer operator&(const Integer &a, const Integer &b);
  friend Integer operator|(const Integer &a, const Integer &b);
  friend Integer operator^(const Integer &a, const Integer &b);
  friend Integer operator~(const Integer &a);
  /// Python's // and %: rounded toward minus infinity. The divisor must not be zero.
  static Integer floorDiv(const Integer &a, const Integer &b);
  static Integer floorMod(const Integer &a, const Integer &b);
  /// The exponent must not be negative.
  static Integer pow(const Integer &base, uint64_t exponent);
  /// `bits` must not be negative.
  static Integer shiftLeft(const Integer &a, uint64_t bits);
  static Integer shiftRight(const Integer &a, uint64_t bits);

  friend bool operator==(const Integer &a, const Integer &b);
  friend std::strong_ordering operator<=>(const Integer &a, const Integer &b);

private:
  int64_t m_small = 0;
  std::shared_ptr<const Big> m_big; ///< set only when the value does not fit m_small
};

} // namespace tilescope
