// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Sources.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace tilescope;
using namespace tilescope::service;
namespace fs = std::filesystem;

namespace {

class Folder : public ::testing::Test {
protected:
  Folder() : root(fs::temp_directory_path() / ("tilescope sources " + std::to_string(getpid()))) {
    fs::create_directories(root / "项目" / "lib");
    write("项目/main.py", "main");
    write("项目/lib/a.py", "on disk");
    write("secret.py", "secret");
    write("项目/data.txt", "data");
  }
  ~Folder() override { fs::remove_all(root); }
  void write(const std::string &name, const std::string &text) const { std::ofstream(root / name) << text; }
  std::string path(const std::string &name) const { return (root / name).string(); }

  fs::path root;
};

TEST_F(Folder, FilesBelowTheScriptAreWithinReach) {
  const Sources sources(path("项目/main.py"), {});
  ASSERT_TRUE(sources.find(path("项目/lib/a.py")));
  EXPECT_EQ(sources.find(path("项目/lib/a.py"))->text(), "on disk");
  EXPECT_FALSE(sources.find(path("项目/lib/b.py")));
  EXPECT_FALSE(sources.find(path("项目/lib")));
}

TEST_F(Folder, NothingElseIs) {
  const Sources sources(path("项目/main.py"), {});
  EXPECT_FALSE(sources.find(path("secret.py")));
  EXPECT_FALSE(sources.find(path("项目/../secret.py")));
  EXPECT_FALSE(sources.find(path("项目/data.txt")));
  EXPECT_FALSE(sources.find("/etc/passwd"));
  fs::create_symlink(root / "secret.py", root / "项目/link.py");
  EXPECT_FALSE(sources.find(path("项目/link.py"))) << "a link must not lead out";
  fs::create_directory_symlink(root, root / "项目/up");
  EXPECT_FALSE(sources.find(path("项目/up/secret.py")));
}

TEST_F(Folder, BuffersGoBeforeTheDisk) {
  auto buffer = std::make_shared<SourceFile>(path("项目/lib/a.py"), "in the editor");
  const Sources sources(path("项目/main.py"), {{buffer->path(), buffer}});
  EXPECT_EQ(sources.find(path("项目/lib/../lib/a.py"))->text(), "in the editor");
}

TEST_F(Folder, ScriptsThatCannotBeRead) {
  EXPECT_EQ((*readScript(path("项目/main.py")))->text(), "main");
  EXPECT_EQ(readScript(path("none.py")).error().id, "file-missing");
  EXPECT_EQ(readScript(path("项目")).error().id, "file-is-folder");
  write("binary.py", std::string("\x7F"
                                 "ELF\0\1",
                                 6));
  EXPECT_EQ(readScript(path("binary.py")).error().id, "file-not-text");
  write("empty.py", "");
  EXPECT_TRUE(readScript(path("empty.py")));
  fs::resize_file(root / "empty.py", MaxScriptBytes + 1);
  EXPECT_EQ(readScript(path("empty.py")).error().id, "file-too-large");
}

} // namespace
