// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Service/Client.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

using namespace tilescope;
using namespace tilescope::testing;

namespace {

const std::string Uri = "file:///tmp/none/main.py";

const std::string Kernel = "import torch\nimport triton\nimport triton.language as tl\n\n"
                           "@triton.jit\n"
                           "def k(x_ptr, n, B: tl.constexpr):\n"
                           "    i = tl.arange(0, B)\n"
                           "    v = tl.load(x_ptr + i, mask=i < n)\n"
                           "    tl.store(x_ptr + i, v + 1, mask=i < n)\n";

class Service : public ::testing::Test {
protected:
  Service() { client.initialize(); }
  json open(const std::string &text) {
    client.open(Uri, text);
    return client.diagnostics(Uri, 1);
  }
  json change(const std::string &text) {
    client.change(Uri, ++version, text);
    return client.diagnostics(Uri, version);
  }
  Client client;
  int version = 1;
};

TEST_F(Service, ExamplesHaveNone) {
  int number = 0;
  for (const auto &entry : std::filesystem::directory_iterator(projectFile("resources/examples"))) {
    if (entry.path().extension() != ".py")
      continue;
    const std::string uri = "file:///tmp/none/" + std::to_string(++number) + ".py";
    client.open(uri, readFile(entry.path()));
    EXPECT_EQ(client.diagnostics(uri, 1), json::array()) << entry.path();
  }
  EXPECT_GE(number, 3);
}

TEST_F(Service, AMistakeInAKernelIsFoundWithoutALaunch) {
  ASSERT_EQ(open(Kernel), json::array());
  const json found = change(Kernel + "    w = undefined_thing + 1\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["range"]["start"], json({{"line", 9}, {"character", 8}}));
  EXPECT_EQ(found[0]["range"]["end"], json({{"line", 9}, {"character", 23}}));
  EXPECT_EQ(found[0]["severity"], 1);
  EXPECT_EQ(found[0]["source"], "tilescope");
  EXPECT_NE(found[0]["message"].get<std::string>().find("undefined_thing"), std::string::npos);
  EXPECT_EQ(change(Kernel), json::array());
}

TEST_F(Service, AMistakeThatOnlyALaunchShows) {
  const std::string launch = "x = torch.zeros(100, device='cuda')\nk[(1,)](x, 100, B=";
  EXPECT_EQ(open(Kernel + launch + "128)\n"), json::array());
  const json found = change(Kernel + launch + "100)\n"); // arange needs a power of two
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["range"]["start"]["line"], 6);
}

TEST_F(Service, AMistakeInAHelperOfTheKernel) {
  const std::string helper = "\n@triton.jit\ndef h(v):\n    return v + missing\n\n"
                             "@triton.jit\ndef user(p):\n    tl.store(p, h(tl.load(p)))\n";
  const json found = open(Kernel + helper);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["range"]["start"], json({{"line", 12}, {"character", 15}}));
}

TEST_F(Service, HostMistakesStandAtTheirPlace) {
  const json found = open("import torch\nx = torch.zeros(3)\ny = x.no_such_member\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["range"]["start"]["line"], 2);
}

TEST_F(Service, SeveralSyntaxErrorsAtOnce) {
  const json found = open("def f(:\n    pass\n\nx = = 1\n\ny = 2\n");
  EXPECT_GE(found.size(), 2u);
}

TEST_F(Service, ColumnsAfterEmojiAndChinese) {
  const json found = open("名 = '😀😀'; 值 = 没有的名字\n");
  ASSERT_EQ(found.size(), 1u);
  // UTF-16: 名 = '😀😀'; takes 11 units, then come a space and 值 = .
  EXPECT_EQ(found[0]["range"]["start"]["character"], 16);
  EXPECT_EQ(found[0]["range"]["end"]["character"], 21);
}

TEST_F(Service, OddTexts) {
  open("x = 1\n");
  for (const std::string &text :
       {std::string(), std::string("\r\n"), std::string("\t"), std::string("x = 1"),
        std::string("import torch\r\nif True:\r\n\tx = 1\r\n"), std::string("\xEF\xBB\xBFx = 1\n"),
        std::string("import numpy as np\nclass Net(np.Module):\n    pass\n")})
    EXPECT_EQ(change(text), json::array()) << text;
  client.open(Uri, "import numpy as np\nclass Net(np.Module):\n    pass\n");
  EXPECT_EQ(client.diagnostics(Uri, 1), json::array()) << "unknown names are no mistake until they are used";
}

/// Random edits, sent as increments to one document and as whole texts to another, find the same.
TEST_F(Service, IncrementsAndWholeTextsAgree) {
  const std::string other = "file:///tmp/none/other.py";
  std::mt19937 random(3);
  std::string text = Kernel;
  client.open(Uri, text);
  client.open(other, text);
  const char *pieces[] = {"x", " ", "(", ")", ":", "\n", "    ", "变量", "😀", "'", "# ", "tl.", "1 + "};
  for (int edit = 2; edit < 60; ++edit) {
    // A place between characters of ASCII only, so that columns are what they look like.
    size_t at = random() % (text.size() + 1);
    while (at < text.size() && (text[at] & 0xC0) == 0x80)
      ++at;
    const size_t lineBegin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    uint32_t units = 0;
    for (size_t i = lineBegin; i < at; ++i)
      units += (text[i] & 0xC0) == 0x80 ? 0 : (static_cast<unsigned char>(text[i]) >= 0xF0 ? 2 : 1);
    const auto line =
        static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
    const std::string piece = pieces[random() % std::size(pieces)];
    text.insert(at, piece);
    const json place = {{"line", line}, {"character", units}};
    client.notify("textDocument/didChange",
                  {{"textDocument", {{"uri", Uri}, {"version", edit}}},
                   {"contentChanges", {{{"range", {{"start", place}, {"end", place}}}, {"text", piece}}}}});
    client.change(other, edit, text);
    const json whole = client.diagnostics(other, edit);
    ASSERT_TRUE(whole.is_array());
    ASSERT_EQ(client.diagnostics(Uri, edit), whole) << text;
  }
}

TEST_F(Service, OnlyTheLastOfManyChangesCounts) {
  open(Kernel);
  for (version = 2; version < 200; ++version)
    client.change(Uri, version, Kernel + "    w" + std::to_string(version) + " = missing\n");
  client.change(Uri, version, Kernel);
  EXPECT_EQ(client.diagnostics(Uri, version), json::array());
}

TEST_F(Service, ATopLevelLoopWithoutEndIsNotWaitedFor) {
  EXPECT_TRUE(open("while True:\n    pass\n").is_array());
  EXPECT_EQ(change("x = 1\n"), json::array());
}

TEST_F(Service, ClosingTakesDiagnosticsBack) {
  open("x = = 1\n");
  client.notify("textDocument/didClose", {{"textDocument", {{"uri", Uri}}}});
  const json cleared = client.notification("textDocument/publishDiagnostics");
  EXPECT_EQ(cleared["uri"], Uri);
  EXPECT_EQ(cleared["diagnostics"], json::array());
}

TEST_F(Service, ImportsTakeTheBufferBeforeTheDisk) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tilescope-import-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "helper.py") << "VALUE = 1\n";
  const std::string main = "file://" + (folder / "main.py").string();
  const std::string helper = "file://" + (folder / "helper.py").string();
  client.open(main, "import helper\nprint(helper.OTHER)\n");
  EXPECT_EQ(client.diagnostics(main, 1).size(), 1u);
  client.open(helper, "OTHER = 2\n");
  client.change(main, 2, "import helper\nprint(helper.OTHER + 1)\n");
  EXPECT_EQ(client.diagnostics(main, 2), json::array());
  client.change(helper, 2, "NEITHER = 2\n");
  EXPECT_EQ(client.diagnostics(main, 2).size(), 1u) << "a change of the imported file is noticed";
  std::filesystem::remove_all(folder);
}

} // namespace
