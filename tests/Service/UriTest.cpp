// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Uri.h"

#include <gtest/gtest.h>

using namespace tilescope::service;

namespace {

// Python: pathlib.Path(path).as_uri()
TEST(Uri, AsPythonWritesThem) {
  EXPECT_EQ(uriOfPath("/home/a b/c.py"), "file:///home/a%20b/c.py");
  EXPECT_EQ(uriOfPath("/家/%.py"), "file:///%E5%AE%B6/%25.py");
}

TEST(Uri, PathsComeBack) {
  for (const char *path : {"/", "/a.py", "/my scripts/核函数 ½ #1?.py", "/a%20b.py"})
    EXPECT_EQ(pathOfUri(uriOfPath(path)), path);
}

TEST(Uri, WhatOthersWrite) {
  EXPECT_EQ(pathOfUri("file://localhost/a.py"), "/a.py");
  EXPECT_EQ(pathOfUri("file:///a%3a+b.py"), "/a:+b.py");
  EXPECT_EQ(pathOfUri("file:///100%.py"), "/100%.py");
  EXPECT_EQ(pathOfUri("file:///a%zz%4"), "/a%zz%4");
  EXPECT_EQ(pathOfUri("untitled:1"), "untitled:1");
}

} // namespace
