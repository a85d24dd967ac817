// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of all painted views say of a picture.
#pragma once

#include "visualizer/render/Canvas.h"

#include <QImage>
#include <QString>
#include <string>

namespace tilescope::viz {

/// No text is on another, none leaves the picture.
void expectApart(const std::vector<PlacedText> &texts, QSize size, const std::string &where);

/// As tests/visualizer/golden/NAME.png was when somebody looked at it and was content. Where it differs, the new
/// picture and the difference are written into the build folder. TILESCOPE_WRITE_GOLDEN=1 writes the expected one
/// anew: look at it before you commit it.
void expectGolden(const QImage &image, const QString &name);

} // namespace tilescope::viz
