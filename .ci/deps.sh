#!/usr/bin/env bash
# Installs what building and testing needs on Debian 12 (bookworm), and writes the generated cargo configuration.
#
# Idempotent; does nothing but a few checks when everything is there. Needs root or sudo only if a
# package is missing. Everything it fetches or generates goes to two ignored places:
#   .deps/               Z3 (from its PyPI wheel) with a z3.pc, and parts of the kernel's source
#   .cargo/config.toml   where cargo and pkg-config find Z3 and LLVM, and the run path of the binaries
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=$root/.deps
z3_version=5.4.0.0
rust_minimum=1.88
packages=(
  build-essential ca-certificates curl git make pkg-config xz-utils
  python3 python3-pip python3-venv
  clang-19 llvm-19 llvm-19-dev libpolly-19-dev
  libffi-dev libxml2-dev libzstd-dev zlib1g-dev
  z3 cvc5
  linux-headers-amd64 linux-source
)
# What tests and benchmarks read of the kernel's source: directories of drivers, and headers that they include
# from elsewhere.
kernel_sources=(
  drivers/block drivers/char drivers/hwmon drivers/input/misc drivers/net/ethernet/realtek
  drivers/nfc drivers/rtc drivers/usb/misc drivers/usb/serial drivers/watchdog
  drivers/infiniband/ulp/rtrs drivers/input/input-compat.h drivers/tty/hvc/hvc_console.h
  drivers/usb/host/ohci.h
)

say() { printf 'deps: %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "need root or sudo to run: $*"
  fi
}

apt_updated=
apt_install() {
  if [ -z "$apt_updated" ]; then
    as_root apt-get update -q || say "apt-get update failed; trying with the lists at hand"
    apt_updated=yes
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

# Prints the packages among the arguments that are not installed.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Abbrev}|${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *|//p' || true)
  comm -23 <(printf '%s\n' "$@" | sort -u) <(printf '%s\n' "$installed" | sort -u)
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "${packages[@]}")
  if [ "${#missing[@]}" -gt 0 ]; then
    say "installing ${missing[*]}"
    apt_install "${missing[@]}"
  fi
}

rust_is_new_enough() {
  command -v cargo >/dev/null && command -v rustc >/dev/null || return 1
  local have
  have=$(rustc --version 2>/dev/null | awk '{print $2}')
  [ -n "$have" ] && [ "$(printf '%s\n%s\n' "$rust_minimum" "$have" | sort -V | head -n1)" = "$rust_minimum" ]
}

install_rust() {
  if ! command -v cargo >/dev/null && [ -x "$HOME/.cargo/bin/cargo" ]; then PATH=$HOME/.cargo/bin:$PATH; fi
  if rust_is_new_enough; then return; fi
  if command -v rustup >/dev/null \
    && rustup toolchain install stable --profile minimal --component clippy --component rustfmt \
    && rustup default stable && rust_is_new_enough; then return; fi
  # Debian's own rustc is too old; rustc-web follows upstream through the security archive.
  say "installing rustc-web and cargo-web"
  apt_install rustc-web cargo-web || true
  hash -r
  rust_is_new_enough || die "need cargo and rustc $rust_minimum or newer: install rustup, then run 'rustup default stable'"
}

# Unpacks the Z3 wheel into .deps/z3 (lib, include, bin). Fails if it cannot be fetched.
fetch_z3_wheel() {
  local scratch
  scratch=$(mktemp -d)
  if ! python3 -m pip download -q --no-deps --only-binary :all: -d "$scratch" "z3-solver==$z3_version"; then
    rm -rf "$scratch"
    return 1
  fi
  rm -rf "$deps/z3"
  mkdir -p "$deps/z3/bin"
  python3 - "$scratch" "$deps/z3" <<'PYTHON'
import pathlib, sys, zipfile
scratch, target = map(pathlib.Path, sys.argv[1:])
(wheel,) = scratch.glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if name.endswith("/"):
            continue
        if name.startswith(("z3/lib/", "z3/include/")):
            place = target / name.removeprefix("z3/")
        elif name.endswith("/bin/z3"):
            place = target / "bin" / "z3"
        else:
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(archive.read(name))
        if place.parent.name in ("bin", "lib"):
            place.chmod(0o755)
PYTHON
  rm -rf "$scratch"
  # The wheel holds the library twice, under its plain name and under its soname: one is enough.
  local soname
  soname=$(readelf -d "$deps/z3/lib/libz3.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
  if [ -n "$soname" ] && [ "$soname" != libz3.so ]; then
    [ -e "$deps/z3/lib/$soname" ] || mv "$deps/z3/lib/libz3.so" "$deps/z3/lib/$soname"
    ln -sf "$soname" "$deps/z3/lib/libz3.so"
  fi
  printf '%s\n' "$z3_version" >"$deps/z3/.version"
}

write_if_changed() {
  local file=$1 text
  text=$(cat)
  if [ ! -f "$file" ] || [ "$(cat "$file")" != "$text" ]; then
    mkdir -p "$(dirname "$file")"
    printf '%s\n' "$text" >"$file"
  fi
}

install_z3() {
  local have
  have=$(cat "$deps/z3/.version" 2>/dev/null || true)
  if [ "$have" != "$z3_version" ] && ! fetch_z3_wheel; then
    say "could not fetch z3-solver $z3_version with pip: falling back on Debian's libz3-dev (older, about ten times slower)"
    [ -z "$(missing_packages libz3-dev)" ] || apt_install libz3-dev
    rm -rf "$deps/z3"
    return
  fi
  write_if_changed "$deps/z3/pkgconfig/z3.pc" <<PC
prefix=$deps/z3
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: z3
Description: The Z3 theorem prover
Version: $z3_version
Libs: -L\${libdir} -lz3
Cflags: -I\${includedir}
PC
}

# A value for a TOML basic string.
toml() { printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"; }

write_cargo_config() {
  local llvm
  llvm=$(llvm-config-19 --prefix 2>/dev/null || true)
  {
    echo "# Generated by .ci/deps.sh; do not edit."
    if [ -d "$deps/z3" ]; then
      echo "[build]"
      echo "rustflags = [\"-C\", $(toml "link-arg=-Wl,-rpath,$deps/z3/lib")]"
      echo
    fi
    echo "[env]"
    if [ -n "$llvm" ]; then echo "LLVM_SYS_191_PREFIX = $(toml "$llvm")"; fi
    if [ -d "$deps/z3" ]; then
      echo "PKG_CONFIG_PATH = { value = $(toml "$deps/z3/pkgconfig"), force = true }"
    fi
  } | write_if_changed "$root/.cargo/config.toml"
}

# Prints those of kernel_sources that have not been unpacked completely: each is written down when it has.
missing_kernel_sources() {
  local source
  for source in "${kernel_sources[@]}"; do
    if [ ! -e "$1/$source" ] || ! grep -qsxF "$source" "$1/.unpacked"; then printf '%s\n' "$source"; fi
  done
}

unpack_kernel_source() {
  local target=$deps/linux-source-6.1 archive=/usr/src/linux-source-6.1.tar.xz missing
  mapfile -t missing < <(missing_kernel_sources "$target")
  if [ "${#missing[@]}" -eq 0 ]; then return; fi
  if [ ! -f "$archive" ]; then
    say "no $archive: the demo, tests/real_drivers.rs and the benchmarks need the package linux-source"
    return
  fi
  say "unpacking ${missing[*]} of the kernel's source"
  mkdir -p "$target"
  tar -xJf "$archive" -C "$target" --strip-components=1 "${missing[@]/#/linux-source-6.1/}"
  printf '%s\n' "${missing[@]}" >>"$target/.unpacked"
}

install_packages
install_rust
install_z3
write_cargo_config
unpack_kernel_source
