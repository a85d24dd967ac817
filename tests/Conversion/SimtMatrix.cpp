// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Conversion/SimtMatrix.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <gtest/gtest.h>

namespace tilescope::codegen::test {
namespace {

const llvm::fltSemantics *semanticsOf(llvm::StringRef type) {
  return llvm::StringSwitch<const llvm::fltSemantics *>(type)
      .Case("f16", &llvm::APFloat::IEEEhalf())
      .Case("bf16", &llvm::APFloat::BFloat())
      .Cases({"f32", "tf32"}, &llvm::APFloat::IEEEsingle())
      .Case("e4m3", &llvm::APFloat::Float8E4M3FN())
      .Case("e5m2", &llvm::APFloat::Float8E5M2())
      .Default(nullptr);
}

struct Place {
  unsigned row, column;
};

/// Element `index` of a lane, of fragments with `perWord` elements in a register.
Place placeInA(unsigned lane, unsigned index, unsigned perWord) {
  const unsigned word = index / perWord, inWord = index % perWord;
  return {lane / 4 + 8 * (word % 2), perWord * (lane % 4) + inWord + 4 * perWord * (word / 2)};
}
Place placeInB(unsigned lane, unsigned index, unsigned perWord) {
  return {perWord * (lane % 4) + index % perWord + 4 * perWord * (index / perWord), lane / 4};
}
Place placeInC(unsigned lane, unsigned index) { return {lane / 4 + 8 * (index / 2), 2 * (lane % 4) + index % 2}; }

double elementOf(const std::vector<uint32_t> &words, unsigned first, unsigned index, llvm::StringRef type) {
  const unsigned bits = bitsOf(type), perWord = 32 / bits;
  const uint32_t word = words[first + index / perWord];
  return decode(type, bits == 32 ? word : word >> bits * (index % perWord) & ((1u << bits) - 1));
}

} // namespace

unsigned bitsOf(llvm::StringRef type) {
  return llvm::StringSwitch<unsigned>(type).Cases({"f16", "bf16"}, 16).Cases({"f32", "tf32", "s32"}, 32).Default(8);
}

double decode(llvm::StringRef type, uint32_t bits) {
  if (type == "s8")
    return int8_t(bits);
  if (type == "u8")
    return uint8_t(bits);
  if (type == "s32")
    return int32_t(bits);
  if (type == "tf32")
    bits &= 0xffff'e000u;
  llvm::APFloat number(*semanticsOf(type), llvm::APInt(bitsOf(type), bits));
  bool isInexact = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return number.convertToDouble();
}

uint32_t encode(llvm::StringRef type, double number) {
  if (!semanticsOf(type))
    return uint32_t(int64_t(number)) & uint32_t((uint64_t(1) << bitsOf(type)) - 1);
  llvm::APFloat value(number);
  bool isInexact = false;
  value.convert(*semanticsOf(type), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return uint32_t(value.bitcastToAPInt().getZExtValue());
}

LaneWords multiplyAccumulate(llvm::StringRef text, const LaneWords &words) {
  // The words are the operands in their order, so the text has to name them in that order too.
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, '$');
  for (unsigned i = 1; i < names.size(); ++i)
    EXPECT_TRUE(names[i].take_while(llvm::isDigit) == std::to_string(i - 1)) << text.str();
  // mma . sync . aligned . m16n8kK . row . col . D . A . B . C
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(' ').first.split(parts, '.');
  unsigned k = 0;
  EXPECT_FALSE(parts[3].split("m16n8k").second.getAsInteger(10, k)) << text.str();
  const llvm::StringRef typeC = parts[6], typeA = parts[7], typeB = parts[8];
  const unsigned perWord = 32 / bitsOf(typeA), elementsA = 16 * k / 32, elementsB = 8 * k / 32;
  const unsigned wordsA = elementsA / perWord, wordsB = elementsB / perWord;

  std::vector<double> a(16 * k), b(k * 8);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < elementsA; ++i) {
      const Place place = placeInA(lane, i, perWord);
      a[place.row * k + place.column] = elementOf(words[lane], 0, i, typeA);
    }
    for (unsigned i = 0; i < elementsB; ++i) {
      const Place place = placeInB(lane, i, perWord);
      b[place.row * 8 + place.column] = elementOf(words[lane], wordsA, i, typeB);
    }
  }
  LaneWords result(32);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      const Place place = placeInC(lane, i);
      double sum = elementOf(words[lane], wordsA + wordsB, i, typeC);
      for (unsigned step = 0; step < k; ++step)
        sum += a[place.row * k + step] * b[step * 8 + place.column];
      if (bitsOf(typeC) == 32 || i % 2 == 0)
        result[lane].push_back(encode(typeC, sum));
      else
        result[lane].back() |= encode(typeC, sum) << 16;
    }
  return result;
}

} // namespace tilescope::codegen::test
