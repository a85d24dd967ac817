// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Conversion/TileToLLVM/Emitter.h"

#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Conversion/TileToLLVM/DebugInfo.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Conversion/TileToLLVM/Probe.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace mlir;

namespace tilescope::codegen {

Emitter::Emitter(tile::FuncOp kernel, const Target &target, llvm::Module &module, std::vector<Unsupported> &unsupported)
    : b(module.getContext()), m_kernel(kernel), m_target(target), m_module(module), m_unsupported(unsupported),
      m_facts(kernel), m_warps(unsigned(kernel.getNumWarps().value_or(4))) {}

//===- Values ---------------------------------------------------------------------------------------===//

llvm::ArrayRef<llvm::Value *> Emitter::of(Value value) const {
  auto found = m_values.find(value);
  assert(found != m_values.end() && "a value is emitted before it is used");
  return found->second;
}

void Emitter::define(Value value, Registers registers) {
  assert((isa<tile::TokenType>(value.getType()) || registers.size() == registerCount(value.getType())) &&
         "as many registers as the layout has");
  m_values[value] = std::move(registers);
}

unsigned Emitter::registerCount(Type type) {
  if (isa<tile::TokenType>(type))
    return 0;
  auto tile = dyn_cast<tile::TileType>(type);
  return tile ? unsigned(mapOf(tile).inputSize(layout::Dim::Register)) : 1;
}

const layout::LinearLayout &Emitter::mapOf(Type tile) { return cast<tile::TileType>(tile).getLayout().getMap(); }

llvm::SmallVector<llvm::Value *, 2> Emitter::inlined(Block &block, llvm::ArrayRef<llvm::Value *> arguments) {
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    m_values[argument] = {value};
  emitBlock(block);
  llvm::SmallVector<llvm::Value *, 2> yielded;
  for (Value operand : block.getTerminator()->getOperands())
    yielded.push_back(scalar(operand));
  return yielded;
}

void Emitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    emitOperation(op);
}

void Emitter::unsupported(Operation *op, std::string what) {
  std::string name = op->getName().stripDialect().str();
  m_unsupported.push_back({what.empty() ? name : name + ": " + what, op->getLoc()});
  for (Value result : op->getResults()) {
    Registers registers;
    for (unsigned i = 0; i < registerCount(result.getType()); ++i)
      registers.push_back(llvm::Constant::getNullValue(type(tile::elementTypeOf(result.getType()))));
    define(result, std::move(registers));
  }
}

//===- Types ----------------------------------------------------------------------------------------===//

llvm::Type *Emitter::type(Type element) const {
  llvm::LLVMContext &context = m_module.getContext();
  if (isa<tile::PointerType>(element))
    return llvm::PointerType::get(context, kGlobal);
  if (isa<tile::BufferType>(element))
    return llvm::PointerType::get(context, kShared);
  if (element.isF16())
    return llvm::Type::getHalfTy(context);
  if (element.isBF16())
    return llvm::Type::getBFloatTy(context);
  if (element.isF32())
    return llvm::Type::getFloatTy(context);
  if (element.isF64())
    return llvm::Type::getDoubleTy(context);
  return llvm::Type::getIntNTy(context, tile::bitWidthOf(element));
}

llvm::Type *Emitter::memoryType(Type element) const {
  return tile::isBoolean(element) ? llvm::Type::getInt8Ty(m_module.getContext()) : type(element);
}

llvm::Value *Emitter::toMemory(llvm::Value *value) {
  return value->getType()->isIntegerTy(1) ? b.CreateZExt(value, b.getInt8Ty()) : value;
}

llvm::Value *Emitter::fromMemory(llvm::Value *value, Type element) {
  return tile::isBoolean(element) ? b.CreateICmpNE(value, b.getInt8(0)) : value;
}

llvm::Value *Emitter::asInteger(llvm::Value *value) {
  llvm::Type *type = value->getType();
  if (type->isIntegerTy())
    return value;
  if (type->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  return b.CreateBitCast(value, b.getIntNTy(unsigned(type->getPrimitiveSizeInBits())));
}

llvm::Value *Emitter::fromInteger(llvm::Value *integer, llvm::Type *type) {
  if (type->isIntegerTy())
    return integer;
  return type->isPointerTy() ? b.CreateIntToPtr(integer, type) : b.CreateBitCast(integer, type);
}

//===- The thread's place ---------------------------------------------------------------------------===//

llvm::Value *Emitter::thread() { return m_thread; }
llvm::Value *Emitter::lane() { return m_lane; }
llvm::Value *Emitter::warp() { return m_warp; }

llvm::Value *Emitter::hasNone(uint64_t laneBits, uint64_t warpBits) {
  llvm::Value *set = b.CreateOr(b.CreateAnd(m_lane, laneBits), b.CreateAnd(m_warp, warpBits));
  return b.CreateICmpEQ(set, b.getInt32(0));
}

//===- Linear maps ----------------------------------------------------------------------------------===//

/// Bits that go to the same distance are moved together: a mask and a shift for each distance.
llvm::Value *Emitter::applyBits(llvm::Value *input, llvm::ArrayRef<uint64_t> columns) {
  std::map<int, uint64_t> masks; // distance of the move to the left, and the input bits that make it
  for (unsigned bit = 0; bit < columns.size(); ++bit)
    for (uint64_t column = columns[bit]; column != 0; column &= column - 1)
      masks[int(llvm::countr_zero(column)) - int(bit)] |= uint64_t(1) << bit;
  llvm::Value *sum = b.getInt32(0);
  uint64_t reached = 0;
  for (auto [distance, mask] : masks) {
    const uint64_t moved = distance < 0 ? mask >> -distance : mask << distance;
    llvm::Value *part = b.CreateAnd(input, b.getInt32(uint32_t(mask)));
    part = distance < 0 ? b.CreateLShr(part, uint64_t(-distance)) : b.CreateShl(part, uint64_t(distance));
    sum = (reached & moved) == 0 ? b.CreateOr(sum, part, "", true) : b.CreateXor(sum, part);
    reached |= moved;
  }
  return sum;
}

namespace {

/// What lanes and warps add to the output, and which bits of it they can reach.
std::vector<uint64_t> columnsOf(const layout::LinearLayout &map, layout::Dim input, std::optional<layout::Dim> output) {
  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < map.inputBits(input); ++bit) {
    uint64_t column = map.basis(input, bit);
    if (output)
      column = column >> map.outputShift(*output) & (map.outputSize(*output) - 1);
    columns.push_back(column);
  }
  return columns;
}

uint64_t reachOf(llvm::ArrayRef<uint64_t> columns) {
  uint64_t reach = 0;
  for (uint64_t column : columns)
    reach |= column;
  return reach;
}

uint64_t constantPart(llvm::ArrayRef<uint64_t> columns, uint64_t input) {
  uint64_t sum = 0;
  for (unsigned bit = 0; bit < columns.size(); ++bit)
    if (input >> bit & 1)
      sum ^= columns[bit];
  return sum;
}

layout::Dim firstDim(const layout::LinearLayout &map) {
  for (const layout::Extent &input : map.inputs())
    if (input.dim != layout::Dim::Lane && input.dim != layout::Dim::Warp)
      return input.dim;
  return layout::Dim::Register;
}

} // namespace

llvm::SmallVector<llvm::Value *> Emitter::applyAll(const layout::LinearLayout &map, std::optional<layout::Dim> dim) {
  const std::vector<uint64_t> lanes = columnsOf(map, layout::Dim::Lane, dim);
  const std::vector<uint64_t> warps = columnsOf(map, layout::Dim::Warp, dim);
  const std::vector<uint64_t> registers = columnsOf(map, firstDim(map), dim);
  const uint64_t ofLanes = reachOf(lanes), ofWarps = reachOf(warps);
  llvm::Value *fromLane = applyBits(m_lane, lanes), *fromWarp = applyBits(m_warp, warps);
  llvm::Value *base =
      (ofLanes & ofWarps) == 0 ? b.CreateOr(fromLane, fromWarp, "", true) : b.CreateXor(fromLane, fromWarp);
  llvm::SmallVector<llvm::Value *> result;
  for (uint64_t reg = 0; reg < uint64_t(1) << registers.size(); ++reg) {
    const uint64_t constant = constantPart(registers, reg);
    llvm::Value *add = b.getInt32(uint32_t(constant));
    // A sum where nothing carries, so that addresses of registers differ by what an instruction adds itself.
    result.push_back((constant & (ofLanes | ofWarps)) == 0 ? b.CreateAdd(base, add, "", true, true)
                                                           : b.CreateXor(base, add));
  }
  return result;
}

llvm::Value *Emitter::apply(const layout::LinearLayout &map, uint64_t reg) {
  const std::vector<uint64_t> lanes = columnsOf(map, layout::Dim::Lane, {}), warps = columnsOf(map, layout::Dim::Warp, {});
  const uint64_t constant = constantPart(columnsOf(map, firstDim(map), {}), reg);
  return b.CreateXor(b.CreateXor(applyBits(m_lane, lanes), applyBits(m_warp, warps)), b.getInt32(uint32_t(constant)));
}

//===- Instructions ---------------------------------------------------------------------------------===//

void Emitter::barrier() {
  b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {b.getInt32(0)});
}

llvm::Value *Emitter::assembly(llvm::StringRef text, llvm::StringRef constraints, llvm::Type *result,
                               llvm::ArrayRef<llvm::Value *> operands, bool hasSideEffects) {
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *operand : operands)
    types.push_back(operand->getType());
  auto *code = llvm::InlineAsm::get(llvm::FunctionType::get(result, types, false), text, constraints, hasSideEffects);
  llvm::CallInst *call = b.CreateCall(code, operands);
  call->setDoesNotThrow();
  if (!hasSideEffects)
    call->setDoesNotAccessMemory();
  return call;
}

namespace {

/// Does something with each word of 32 bits of a value, and puts the words together again.
llvm::Value *byWords(Emitter &e, llvm::Value *value, llvm::function_ref<llvm::Value *(llvm::Value *)> each) {
  llvm::IRBuilder<> &b = e.b;
  llvm::Value *whole = e.asInteger(value);
  const unsigned bits = whole->getType()->getIntegerBitWidth();
  llvm::Value *result;
  if (bits <= 32) {
    result = b.CreateTrunc(each(b.CreateZExt(whole, b.getInt32Ty())), whole->getType());
  } else {
    llvm::Value *low = each(b.CreateTrunc(whole, b.getInt32Ty()));
    llvm::Value *high = each(b.CreateTrunc(b.CreateLShr(whole, 32), b.getInt32Ty()));
    result = b.CreateOr(b.CreateZExt(low, b.getInt64Ty()), b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
  }
  return e.fromInteger(result, value->getType());
}

} // namespace

llvm::Value *Emitter::shuffle(llvm::Value *value, llvm::Value *fromLane) {
  return byWords(*this, value, [&](llvm::Value *word) {
    return b.CreateIntrinsic(b.getInt32Ty(), llvm::Intrinsic::nvvm_shfl_sync_idx_i32,
                             {b.getInt32(~0u), word, fromLane, b.getInt32(31)});
  });
}

llvm::Value *Emitter::shuffleXor(llvm::Value *value, unsigned laneMask) {
  return byWords(*this, value, [&](llvm::Value *word) {
    return b.CreateIntrinsic(b.getInt32Ty(), llvm::Intrinsic::nvvm_shfl_sync_bfly_i32,
                             {b.getInt32(~0u), word, b.getInt32(laneMask), b.getInt32(31)});
  });
}

llvm::Value *Emitter::sharedAddress(llvm::Value *byteOffset) {
  if (!m_shared)
    m_shared = new llvm::GlobalVariable(m_module, llvm::ArrayType::get(b.getInt8Ty(), 0), false,
                                        llvm::GlobalValue::ExternalLinkage, nullptr, "shared_memory", nullptr,
                                        llvm::GlobalValue::NotThreadLocal, kShared);
  m_shared->setAlignment(llvm::Align(128));
  return b.CreateGEP(b.getInt8Ty(), m_shared, {byteOffset});
}

int64_t Emitter::scratchOf(Operation *op) const {
  auto offset = op->getAttrOfType<IntegerAttr>(analysis::sharedOffsetAttr);
  assert(offset && "allocate-shared has given it a place");
  return offset.getInt();
}

llvm::Value *Emitter::callLibdevice(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *argument : arguments)
    types.push_back(argument->getType());
  llvm::FunctionCallee callee = m_module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  return b.CreateCall(callee, arguments);
}

//===- The kernel -----------------------------------------------------------------------------------===//

void Emitter::emitOperation(Operation &op) {
  DebugPlace place(*this, op.getLoc());
  const size_t before = m_unsupported.size();
  const bool isDone =
      emitElementwise(*this, &op) || emitMath(*this, &op) ||
      llvm::TypeSwitch<Operation *, bool>(&op)
          .Case<tile::CastOp, tile::ConstantOp, tile::MakeRangeOp, tile::ProgramIdOp, tile::NumProgramsOp, tile::AssumeOp,
                tile::BarrierOp, tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp, tile::PermuteOp,
                tile::JoinOp, tile::SplitOp, tile::CatOp, tile::ForOp, tile::IfOp, tile::WhileOp, tile::LoadOp,
                tile::StoreOp, tile::AtomicRmwOp, tile::AtomicCasOp, tile::AtomicLoadOp, tile::AtomicStoreOp,
                tile::ConvertLayoutOp, tile::SharedAllocOp, tile::SharedSlotOp, tile::SharedPermuteOp, tile::SharedLoadOp,
                tile::SharedStoreOp, tile::SharedBarrierOp, tile::AsyncCopyOp, tile::AsyncCommitOp, tile::AsyncWaitOp,
                tile::ReduceOp, tile::ScanOp, tile::GatherOp, tile::HistogramOp, tile::MapOp, tile::DotOp, tile::ExternOp,
                tile::InlineAsmOp, tile::PrintOp, tile::AssertOp>([&](auto known) {
            emit(*this, known);
            return true;
          })
          .Default(false);
  if (!isDone && m_unsupported.size() == before)
    unsupported(&op);
}

namespace {

llvm::Value *readSpecial(llvm::IRBuilder<> &b, llvm::Intrinsic::ID id) {
  return b.CreateIntrinsic(b.getInt32Ty(), id, {});
}

} // namespace

void Emitter::run() {
  llvm::SmallVector<llvm::Type *> parameters;
  for (Type argument : m_kernel.getArgumentTypes())
    parameters.push_back(memoryType(argument));
  if (m_target.hasProbe)
    parameters.push_back(llvm::PointerType::get(context(), kGlobal));
  auto *type = llvm::FunctionType::get(b.getVoidTy(), parameters, false);
  m_function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, m_kernel.getName(), m_module);
  m_function->setCallingConv(llvm::CallingConv::PTX_Kernel);
  m_function->addFnAttr("nvvm.reqntid", std::to_string(32 * m_warps) + ",1,1");
  m_function->addFnAttr("target-cpu", m_target.cpu());
  attachSource(*this, *m_function);
  b.SetInsertPoint(llvm::BasicBlock::Create(context(), "entry", m_function));

  m_thread = readSpecial(b, llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x);
  m_lane = b.CreateAnd(m_thread, b.getInt32(31));
  m_warp = b.CreateLShr(m_thread, 5);
  for (auto [argument, parameter] : llvm::zip(m_kernel.getBody().getArguments(), m_function->args())) {
    parameter.setName(m_kernel.argumentName(argument.getArgNumber()));
    m_values[argument] = {fromMemory(&parameter, argument.getType())};
  }
  llvm::Value *started = m_target.hasProbe ? beginProbe(*this) : nullptr;
  emitBlock(m_kernel.getBody().front());
  if (started)
    endProbe(*this, m_function->getArg(m_function->arg_size() - 1), started);
  b.CreateRetVoid();
}

std::unique_ptr<llvm::Module> translateToLlvm(tile::FuncOp kernel, const Target &target, llvm::LLVMContext &context,
                                              std::vector<Unsupported> &unsupported) {
  auto module = std::make_unique<llvm::Module>(kernel.getName(), context);
  module->setTargetTriple(llvm::Triple("nvptx64-nvidia-cuda"));
  Emitter(kernel, target, *module, unsupported).run();
  return unsupported.empty() ? std::move(module) : nullptr;
}

} // namespace tilescope::codegen
