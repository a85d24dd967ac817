// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Conversion/Simt.h"

#include "tests/Conversion/SimtMatrix.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <gtest/gtest.h>

#include <cstring>

namespace tilescope::codegen::test {
namespace {

uint64_t numberOf(const llvm::Constant *constant) { return llvm::cast<llvm::ConstantInt>(constant)->getZExtValue(); }

} // namespace

Simt::Simt(const llvm::Function &kernel, unsigned threads, std::vector<uint8_t> shared, std::vector<uint8_t> global)
    : m_kernel(kernel), m_layout(kernel.getParent()->getDataLayout()), m_threads(threads), m_shared(std::move(shared)),
      m_global(std::move(global)) {}

void Simt::run(llvm::ArrayRef<uint64_t> arguments) {
  ASSERT_EQ(m_kernel.size(), 1u) << "the kernel is one basic block";
  ASSERT_EQ(m_kernel.arg_size(), arguments.size());
  for (auto [parameter, argument] : llvm::zip(m_kernel.args(), arguments)) {
    auto *number = llvm::ConstantInt::get(m_layout.getIntPtrType(m_kernel.getContext()), argument);
    llvm::Constant *value = parameter.getType()->isPointerTy()
                                ? llvm::ConstantExpr::getIntToPtr(number, parameter.getType())
                                : llvm::ConstantFoldCastOperand(llvm::Instruction::Trunc, number, parameter.getType(), m_layout);
    m_values[&parameter] = PerThread(m_threads, value);
  }
  for (const llvm::Instruction &instruction : m_kernel.front())
    if (!instruction.isTerminator() && !testing::Test::HasFatalFailure())
      step(instruction);
}

unsigned Simt::count(llvm::StringRef text) const {
  return unsigned(llvm::count_if(m_done, [&](const std::string &done) { return llvm::StringRef(done).starts_with(text); }));
}

Simt::PerThread Simt::operandOf(const llvm::Value *value) const {
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value))
    return PerThread(m_threads, const_cast<llvm::Constant *>(constant));
  return m_values.lookup(value);
}

void Simt::step(const llvm::Instruction &instruction) {
  if (auto *callee = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    m_values[&instruction] = call(*callee);
    return;
  }
  std::vector<PerThread> operands;
  for (const llvm::Value *operand : instruction.operand_values())
    operands.push_back(operandOf(operand));
  PerThread result(m_threads);
  for (unsigned thread = 0; thread < m_threads; ++thread) {
    llvm::SmallVector<llvm::Constant *> own;
    for (const PerThread &operand : operands)
      own.push_back(operand[thread]);
    if (llvm::isa<llvm::LoadInst>(instruction)) {
      result[thread] = load(own[0], instruction.getType());
    } else if (llvm::isa<llvm::StoreInst>(instruction)) {
      store(own[1], own[0]);
    } else if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      ASSERT_EQ(atomic->getOperation(), llvm::AtomicRMWInst::Add);
      result[thread] = add(own[0], own[1]);
    } else {
      result[thread] = llvm::ConstantFoldInstOperands(const_cast<llvm::Instruction *>(&instruction), own, m_layout);
      ASSERT_TRUE(result[thread]) << instruction.getOpcodeName();
    }
  }
  m_values[&instruction] = std::move(result);
}

//===- Memory ---------------------------------------------------------------------------------------===//

uint8_t *Simt::at(llvm::Constant *address, unsigned bytes) {
  // As a number it is of shared memory: cp.async and ldmatrix take it so.
  if (auto *cast = llvm::dyn_cast<llvm::ConstantExpr>(address);
      cast && !address->getType()->isPointerTy() && cast->getOpcode() != llvm::Instruction::IntToPtr)
    address = llvm::cast<llvm::Constant>(address->stripPointerCasts() == address ? cast->getOperand(0) : address);
  llvm::APInt offset(64, 0);
  const llvm::Value *base = address->stripAndAccumulateConstantOffsets(m_layout, offset, true);
  std::vector<uint8_t> &memory = llvm::isa<llvm::GlobalVariable>(base) ? m_shared : m_global;
  uint64_t place = offset.getZExtValue();
  if (auto *cast = llvm::dyn_cast<llvm::ConstantExpr>(base); cast && cast->getOpcode() == llvm::Instruction::IntToPtr)
    place += numberOf(cast->getOperand(0));
  static uint8_t nowhere[16];
  if (place + bytes > memory.size() || place % bytes != 0) {
    ADD_FAILURE() << "an access of " << bytes << " bytes at " << place << " of " << memory.size();
    return nowhere;
  }
  return memory.data() + place;
}

llvm::Constant *Simt::load(llvm::Constant *address, llvm::Type *type) {
  const auto bits = unsigned(type->getPrimitiveSizeInBits());
  llvm::APInt value(bits, 0);
  llvm::LoadIntFromMemory(value, at(address, bits / 8), bits / 8);
  return llvm::ConstantFoldCastOperand(llvm::Instruction::BitCast, llvm::ConstantInt::get(m_kernel.getContext(), value), type,
                                       m_layout);
}

void Simt::store(llvm::Constant *address, llvm::Constant *value) {
  const auto bits = unsigned(value->getType()->getPrimitiveSizeInBits());
  auto *integer = llvm::IntegerType::get(m_kernel.getContext(), bits);
  llvm::Constant *whole = llvm::ConstantFoldCastOperand(llvm::Instruction::BitCast, value, integer, m_layout);
  ASSERT_TRUE(llvm::isa_and_nonnull<llvm::ConstantInt>(whole)) << "a value that is not defined is stored";
  llvm::StoreIntToMemory(llvm::cast<llvm::ConstantInt>(whole)->getValue(), at(address, bits / 8), bits / 8);
}

llvm::Constant *Simt::add(llvm::Constant *address, llvm::Constant *value) {
  llvm::Constant *before = load(address, value->getType());
  store(address, llvm::ConstantFoldBinaryOpOperands(llvm::Instruction::Add, before, value, m_layout));
  return before;
}

//===- What threads do together ---------------------------------------------------------------------===//

Simt::PerThread Simt::call(const llvm::CallInst &call) {
  if (auto *code = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    m_done.emplace_back(code->getAsmString());
    return assembly(call, code->getAsmString());
  }
  m_done.push_back(call.getCalledFunction()->getName().str());
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x: {
    PerThread result;
    for (unsigned thread = 0; thread < m_threads; ++thread)
      result.push_back(llvm::ConstantInt::get(call.getType(), thread));
    return result;
  }
  case llvm::Intrinsic::nvvm_shfl_sync_idx_i32:
    return shuffle(call, false);
  case llvm::Intrinsic::nvvm_shfl_sync_bfly_i32:
    return shuffle(call, true);
  case llvm::Intrinsic::nvvm_vote_ballot_sync:
    return ballot(call);
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_trans_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16:
    return loadMatrix(call, call.getCalledFunction()->getName());
  case llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    return {};
  default:
    break;
  }
  PerThread result(m_threads);
  for (unsigned thread = 0; thread < m_threads; ++thread) {
    llvm::SmallVector<llvm::Constant *> own;
    for (const llvm::Value *argument : call.args())
      own.push_back(operandOf(argument)[thread]);
    result[thread] = llvm::ConstantFoldCall(&call, call.getCalledFunction(), own);
    EXPECT_TRUE(result[thread]) << call.getCalledFunction()->getName().str();
  }
  return result;
}

Simt::PerThread Simt::shuffle(const llvm::CallInst &call, bool isExclusiveOr) {
  const PerThread words = operandOf(call.getArgOperand(1)), lanes = operandOf(call.getArgOperand(2));
  PerThread result;
  for (unsigned thread = 0; thread < m_threads; ++thread) {
    const uint64_t lane = isExclusiveOr ? (thread % 32) ^ numberOf(lanes[thread]) : numberOf(lanes[thread]);
    result.push_back(words[thread / 32 * 32 + lane % 32]);
  }
  return result;
}

Simt::PerThread Simt::ballot(const llvm::CallInst &call) {
  const PerThread predicates = operandOf(call.getArgOperand(1));
  std::vector<uint32_t> votes(m_threads / 32);
  for (unsigned thread = 0; thread < m_threads; ++thread)
    votes[thread / 32] |= uint32_t(numberOf(predicates[thread])) << thread % 32;
  PerThread result;
  for (unsigned thread = 0; thread < m_threads; ++thread)
    result.push_back(llvm::ConstantInt::get(call.getType(), votes[thread / 32]));
  return result;
}

Simt::PerThread Simt::assembly(const llvm::CallInst &call, llvm::StringRef text) {
  if (text.starts_with("mma.sync"))
    return multiply(call, text);
  if (text.starts_with("ldmatrix"))
    return loadMatrix(call, text);
  if (text.contains("cp.async.ca") || text.contains("cp.async.cg"))
    copy(call, text);
  else if (!text.starts_with("cp.async"))
    ADD_FAILURE() << text.str();
  return {};
}

void Simt::copy(const llvm::CallInst &call, llvm::StringRef text) {
  const PerThread to = operandOf(call.getArgOperand(0)), from = operandOf(call.getArgOperand(1)),
                  count = operandOf(call.getArgOperand(2));
  const unsigned bytes = text.contains("], 16,") ? 16 : text.contains("], 8,") ? 8 : 4;
  for (unsigned thread = 0; thread < m_threads; ++thread) {
    if (call.arg_size() > 3 && numberOf(operandOf(call.getArgOperand(3))[thread]) == 0)
      continue;
    uint8_t *place = at(to[thread], bytes);
    std::memset(place, 0, bytes);
    if (numberOf(count[thread]) != 0)
      std::memcpy(place, at(from[thread], bytes), bytes);
  }
}

namespace {

/// The members of a result that may be a struct, or one value.
llvm::Constant *resultOf(llvm::Type *type, llvm::ArrayRef<uint32_t> words) {
  llvm::SmallVector<llvm::Constant *> members;
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  for (auto [index, word] : llvm::enumerate(words)) {
    auto *member = structure ? structure->getElementType(unsigned(index)) : type;
    auto *number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(type->getContext()), word);
    members.push_back(llvm::ConstantExpr::getBitCast(number, member));
  }
  return structure ? llvm::ConstantStruct::get(structure, members) : members.front();
}

uint32_t wordOf(llvm::Constant *constant, const llvm::DataLayout &layout) {
  auto *integer = llvm::Type::getInt32Ty(constant->getContext());
  return uint32_t(numberOf(llvm::ConstantFoldCastOperand(llvm::Instruction::BitCast, constant, integer, layout)));
}

} // namespace

Simt::PerThread Simt::multiply(const llvm::CallInst &call, llvm::StringRef text) {
  PerThread result(m_threads);
  for (unsigned warp = 0; warp < m_threads / 32; ++warp) {
    LaneWords words(32);
    for (const llvm::Value *argument : call.args()) {
      const PerThread operand = operandOf(argument);
      for (unsigned lane = 0; lane < 32; ++lane)
        words[lane].push_back(wordOf(operand[32 * warp + lane], m_layout));
    }
    const LaneWords product = multiplyAccumulate(text, words);
    for (unsigned lane = 0; lane < 32; ++lane)
      result[32 * warp + lane] = resultOf(call.getType(), product[lane]);
  }
  return result;
}

/// ldmatrix: lane i of eight gives the address of row i; lane i gets elements 2·(i % 4) and the next of row i / 4.
Simt::PerThread Simt::loadMatrix(const llvm::CallInst &call, llvm::StringRef text) {
  const unsigned matrices = text.contains(".x4") ? 4 : text.contains(".x2") ? 2 : 1;
  const bool isTransposed = text.contains(".trans");
  const PerThread addresses = operandOf(call.getArgOperand(0));
  PerThread result;
  for (unsigned thread = 0; thread < m_threads; ++thread) {
    const unsigned lane = thread % 32, warp = thread - lane;
    std::vector<uint32_t> words;
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
      uint16_t pair[2];
      for (unsigned i = 0; i < 2; ++i) {
        const unsigned row = isTransposed ? 2 * (lane % 4) + i : lane / 4, column = isTransposed ? lane / 4 : 2 * (lane % 4) + i;
        std::memcpy(&pair[i], at(addresses[warp + 8 * matrix + row], 16) + 2 * column, 2);
      }
      words.push_back(pair[0] | uint32_t(pair[1]) << 16);
    }
    result.push_back(resultOf(call.getType(), words));
  }
  return result;
}

} // namespace tilescope::codegen::test
