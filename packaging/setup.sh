# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by packaging/run and packaging/test: installs what is missing, configures and builds into build/release.
# Expects to be in the project's root.

TILESCOPE_PACKAGES=(
  g++ cmake ninja-build ccache pkg-config python3
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools libzstd-dev zlib1g-dev
  qt6-base-dev qt6-tools-dev qt6-l10n-tools qt6-tools-dev-tools qt6-l10n-tools qt6-translations-l10n
  libqscintilla2-qt6-dev libgl1-mesa-dev graphviz
  nlohmann-json3-dev libeigen3-dev libboost-dev libcli11-dev libgtest-dev libgmock-dev
  fonts-inter fonts-jetbrains-mono fonts-noto-cjk
)

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
fail() { printf '%s\n' "$@" >&2; exit 1; }

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done | sort -u
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs with apt; without root and sudo it prints the line to run.
install_packages() {
  local missing
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null || fail "Tilescope's set-up needs apt (Debian 12 or newer). Please install: $(echo $missing)"
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    fail "These packages are missing. Run as root, then start again:" "  apt-get update && apt-get install -y $(echo $missing)"
  fi
  say "Installing $(echo "$missing" | wc -l) packages ..."
  as_root apt-get update -qq || fail "apt-get update failed: is the network there?"
  if ! apt-cache show libmlir-22-dev >/dev/null 2>&1; then
    fail "LLVM 22 comes with Debian's security suite, which this system does not have. Add it, then start again:" \
      "  echo 'deb http://security.debian.org/debian-security bookworm-security main' > /etc/apt/sources.list.d/security.list"
  fi
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    fail "apt-get could not install: $(echo $missing)"
}

# The smaller of cores and memory / 3 GB, since one file of MLIR code can take that much to compile.
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 3000000) }' /proc/meminfo)
  [ "$memory" -ge 1 ] || memory=1
  echo $((cores < memory ? cores : memory))
}

configure() {
  [ -f build/release/build.ninja ] && [ -z "${CI:-}" ] && return 0
  say "Configuring build/release ..."
  local log=build/configure.log strict=OFF
  [ -z "${CI:-}" ] || strict=ON
  mkdir -p build
  cmake --preset release -DTILESCOPE_WERROR=$strict >"$log" 2>&1 || { tail -n 30 "$log" >&2; fail "Configuring failed; the whole log is in $log"; }
}

build() {
  say "Building with $(build_jobs) jobs; the first time takes several minutes ..."
  NINJA_STATUS='[%f/%t %es] ' ninja -C build/release -j "$(build_jobs)" "$@"
}
