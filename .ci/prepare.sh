# shellcheck shell=bash
# Shared by ./run and ./test, which source it: installs what is missing and builds.
# Everything here talks on stderr only; stdout belongs to the program.

umask 022 # plugins that others could have written are refused
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# Each entry is a Debian package and what shows that it is there: a command, a pkg-config module (*.pc), a header (*.h), or a
# pattern of files that begins with a slash, for what is no command.
# shellcheck disable=SC2034 # used by the scripts that source this
build_packages=(
  gcc:gcc
  libc6-dev:stdio.h
  pkg-config:pkg-config
  meson:meson
  ninja-build:ninja
  libglib2.0-dev:gio-2.0.pc
  libjson-glib-dev:json-glib-1.0.pc
  libsqlite3-dev:sqlite3.pc
  libedit-dev:libedit.pc
  libmd4c-dev:md4c.pc
  tzdata:/usr/share/zoneinfo/Europe/Berlin
  libsecret-1-dev:libsecret-1.pc
  libsoup-3.0-dev:libsoup-3.0.pc
)
# shellcheck disable=SC2034
test_packages=(
  clang-format:clang-format
  clang:clang
  'libclang-rt-14-dev:/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a'
  make:make
  valgrind:valgrind
  python3:python3
  procps:ps
  'libfaketime:/usr/lib/*/faketime/libfaketime.so.1'
  tmux:tmux
  nodejs:node
  npm:npm
  spin:spin
  python3-croniter:/usr/lib/python3/dist-packages/croniter
  systemd:systemd-analyze
  graphviz:dot
  libxml2-utils:xmllint
  locales:/usr/share/i18n/locales/de_DE
  json-schema-test-suite:/usr/share/json-schema-test-suite/tests
  dbus-daemon:dbus-daemon
  gnome-keyring:gnome-keyring-daemon
  libsecret-tools:secret-tool
  libglib2.0-bin:gdbus
)

complain ()
{
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

is_there ()
{
  case $1 in
    /*) compgen -G "$1" >/dev/null ;;
    *.pc) pkg-config --exists "${1%.pc}" 2>/dev/null ;;
    *.h) [[ -e /usr/include/$1 ]] ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# Fills the array `missing` with the packages among the arguments that are not there.
find_missing ()
{
  local entry

  missing=()
  for entry in "$@"; do
    is_there "${entry#*:}" || missing+=("${entry%%:*}")
  done
}

# Runs a command silently; what it said is shown only if it fails.
quietly ()
{
  local said status=0

  said=$("$@" 2>&1 </dev/null) || status=$?
  if ((status != 0)); then
    printf '%s\n' "$said" >&2
  fi
  return "$status"
}

as_root ()
{
  if ((EUID == 0)); then
    "$@"
  else
    sudo -n "$@"
  fi
}

installed=false

# install_missing PACKAGE:PROBE...
install_missing ()
{
  local missing apt=(as_root env DEBIAN_FRONTEND=noninteractive apt-get -q)

  find_missing "$@"
  if ((${#missing[@]} == 0)); then
    return 0
  fi

  if ! command -v apt-get >/dev/null || ! as_root true 2>/dev/null; then
    complain "please install these packages first: ${missing[*]}"
    return 1
  fi

  complain "installing ${missing[*]}"
  if ! quietly "${apt[@]}" update ||
     ! quietly "${apt[@]}" -y -o DPkg::Lock::Timeout=300 --no-install-recommends install "${missing[@]}"; then
    complain "apt-get failed, please install these packages first: ${missing[*]}"
    return 1
  fi

  hash -r
  installed=true
  find_missing "$@"
  if ((${#missing[@]} != 0)); then
    complain "installed, but still not usable: ${missing[*]}"
    return 1
  fi
}

# Downloads a package into the current folder; the lists of packages may be missing or too old.
download ()
{
  apt-get -q download "$1" >/dev/null 2>&1 || { quietly as_root apt-get -q update && quietly apt-get -q download "$1"; }
}

# Takes this one program out of its package, into a folder where tests look for it: the whole package is a server, which would be started
# and kept running.
fetch_promtool ()
{
  local folder=$root/.cache/promtool

  if command -v promtool >/dev/null || [[ -x $folder/promtool ]]; then
    return 0
  fi
  complain 'fetching promtool'
  rm -rf -- "$folder"
  mkdir -p "$folder"
  if ! (cd "$folder" && download prometheus) ||
     ! dpkg-deb --fsys-tarfile "$folder"/prometheus_*.deb | tar -xO ./usr/bin/promtool >"$folder/new"; then
    complain "apt-get failed, please put promtool (of the package prometheus) where commands are found"
    return 1
  fi
  chmod 755 "$folder/new"
  mv -- "$folder/new" "$folder/promtool"
  rm -f -- "$folder"/*.deb
}

# configure FOLDER [MESON-OPTION...] sets a build folder up: once, and again if it could not know what is there by now.
configure ()
{
  local folder=$root/$1 stamp=$root/$1/.source-folder
  shift

  # A build folder that came along when the tree was moved or copied would build the tree it came from.
  if [[ -f $folder/build.ninja && -f $stamp && $(<"$stamp") != "$root" ]]; then
    rm -rf -- "$folder"
  fi
  if [[ ! -f $folder/build.ninja ]]; then
    if [[ -t 2 ]]; then
      complain "setting up ${folder##*/}/, the first build takes a moment"
    fi
    quietly meson setup ${CI:+--werror} "$@" "$folder" "$root" || return
    printf '%s\n' "$root" >"$stamp"
  elif $installed; then
    quietly meson setup --reconfigure "$folder" "$root"
  fi
}

# locked COMMAND... keeps two calls at the same time from building into the same folder.
locked ()
(
  if command -v flock >/dev/null; then
    flock 9
  fi
  "$@"
) 9<"$root/meson.build"
