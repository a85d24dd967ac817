// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures without a user: `--render` paints a view of a script, `--screenshot` the whole window.
#pragma once

class QElapsedTimer;

namespace tilescope::app {

struct CommandLine;
class MainWindow;

/// Runs the script and writes the picture. Gives the process's exit status: 1 if the script is wrong.
int renderPicture(const CommandLine &options);

/// Prints starting times, or writes a picture of the window, and ends the program.
void automate(MainWindow &window, const CommandLine &options, const QElapsedTimer &sinceStart);

} // namespace tilescope::app
