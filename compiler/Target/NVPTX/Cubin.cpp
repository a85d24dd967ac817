// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Target/NVPTX/Cubin.h"

#include "compiler/Target/NVPTX/Toolkit.h"

#include <charconv>
#include <memory>
#include <type_traits>

#include <dlfcn.h>

namespace tilescope::nvptx {

namespace fs = std::filesystem;

namespace {

using Handle = struct Linker *;

/// The functions of nvJitLink 12 and 13; all but `destroy` give 0 when they went well.
struct Library {
  static constexpr int PtxInput = 2;

  int (*create)(Handle *, uint32_t count, const char **options) = nullptr;
  int (*destroy)(Handle *) = nullptr;
  int (*addData)(Handle, int type, const void *data, size_t size, const char *name) = nullptr;
  int (*complete)(Handle) = nullptr;
  int (*cubinSize)(Handle, size_t *) = nullptr;
  int (*cubin)(Handle, void *) = nullptr;
  int (*errorSize)(Handle, size_t *) = nullptr;
  int (*error)(Handle, char *) = nullptr;
  int (*infoSize)(Handle, size_t *) = nullptr;
  int (*info)(Handle, char *) = nullptr;

  bool load(void *library) {
    auto find = [&](const char *name, auto &function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    return find("nvJitLinkCreate", create) && find("nvJitLinkDestroy", destroy) && find("nvJitLinkAddData", addData) &&
           find("nvJitLinkComplete", complete) && find("nvJitLinkGetLinkedCubinSize", cubinSize) &&
           find("nvJitLinkGetLinkedCubin", cubin) && find("nvJitLinkGetErrorLogSize", errorSize) &&
           find("nvJitLinkGetErrorLog", error) && find("nvJitLinkGetInfoLogSize", infoSize) &&
           find("nvJitLinkGetInfoLog", info);
  }
};

void *openLibrary() {
  constexpr const char *Names[] = {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"};
  for (const char *name : Names)
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
  for (const fs::path &toolkit : toolkits())
    for (const char *folder : {"lib64", "targets/x86_64-linux/lib"})
      for (const char *name : Names)
        if (void *library = dlopen((toolkit / folder / name).c_str(), RTLD_NOW | RTLD_LOCAL))
          return library;
  return nullptr;
}

const Library *assembler() {
  static const std::unique_ptr<const Library> found = [] {
    auto library = std::make_unique<Library>();
    void *opened = openLibrary();
    return opened && library->load(opened) ? std::move(library) : nullptr;
  }();
  return found.get();
}

std::string textOf(Handle handle, int (*size)(Handle, size_t *), int (*read)(Handle, char *)) {
  size_t bytes = 0;
  if (size(handle, &bytes) != 0 || bytes == 0)
    return {};
  std::string text(bytes, '\0');
  if (read(handle, text.data()) != 0)
    return {};
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

/// The number in front of `words`, or behind them; 0 where they do not stand.
int numberBefore(std::string_view log, std::string_view words) {
  const size_t end = log.find(words);
  if (end == std::string_view::npos)
    return 0;
  size_t begin = end;
  while (begin > 0 && log[begin - 1] >= '0' && log[begin - 1] <= '9')
    --begin;
  int number = 0;
  std::from_chars(log.data() + begin, log.data() + end, number);
  return number;
}

} // namespace

bool hasAssembler() { return assembler() != nullptr; }

std::optional<Resources> parseResources(std::string_view log) {
  if (log.find(" registers") == std::string_view::npos)
    return std::nullopt;
  return Resources{numberBefore(log, " registers"), numberBefore(log, " bytes stack frame"),
                   numberBefore(log, " bytes spill stores"), numberBefore(log, " bytes spill loads"),
                   numberBefore(log, " bytes smem")};
}

/// From sm_90 on the assembler adds what the system reserves to the static shared memory of a kernel that has any.
static void subtractReserved(Resources &resources, const codegen::Target &target) {
  constexpr int ReservedBytes = 1024;
  if (target.capability >= 90 && resources.sharedBytes >= ReservedBytes)
    resources.sharedBytes -= ReservedBytes;
}

Result<Cubin> assemble(const std::string &ptx, const codegen::Target &target) {
  const Library *library = assembler();
  if (!library)
    return Error{"no-nvjitlink", {}};
  const std::string arch = "-arch=" + target.cpu();
  const char *options[] = {arch.c_str(), "-verbose", "-lineinfo"};
  Handle handle = nullptr;
  if (library->create(&handle, 3, options) != 0)
    return Error{"assembler-failed", {arch}};
  const std::unique_ptr<Handle, int (*)(Handle *)> owner(&handle, library->destroy);
  Cubin result;
  size_t bytes = 0;
  const bool isFine = library->addData(handle, Library::PtxInput, ptx.c_str(), ptx.size() + 1, "kernel.ptx") == 0 &&
                      library->complete(handle) == 0 && library->cubinSize(handle, &bytes) == 0;
  if (isFine) {
    result.image.resize(bytes);
    if (library->cubin(handle, result.image.data()) == 0) {
      result.resources =
          parseResources(textOf(handle, library->infoSize, library->info)).value_or(Resources());
      subtractReserved(result.resources, target);
      return result;
    }
  }
  return Error{"assembler-failed", {textOf(handle, library->errorSize, library->error)}};
}

} // namespace tilescope::nvptx
