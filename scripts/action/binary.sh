# shellcheck shell=bash
# Finds the binary of the Action, in the order of what it costs: the one that is named, the tool
# cache, PATH, the release that belongs to the Action, and (on request) cargo. Sourced by main.sh,
# which defines `fail`.

# Where releases are. The same owner and name as in `uses:`; a test compares them.
repository=OpenSourceEconomics/lcmbench-action

# target: prints the name of this platform in a release.
target() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) printf x86_64-unknown-linux-gnu ;;
    Linux-aarch64 | Linux-arm64) printf aarch64-unknown-linux-gnu ;;
    *) return 1 ;;
  esac
}

# known_digest NAME FOLDER: prints the SHA-256 of a file of a release, if this Action knows it.
known_digest() {
  sed -n "s/^\([0-9a-f]\{64\}\)  $1\$/\1/p" "$2/checksums.txt" | head -n 1
}

# is_good FILE DIGEST: whether the file has this SHA-256.
is_good() {
  printf '%s  %s\n' "$2" "$1" | sha256sum --check --status 2>/dev/null
}

# has_version FILE VERSION: whether the binary runs and says that it is exactly this version.
has_version() {
  [ "$("$1" --version 2>/dev/null)" = "lcmbench $2" ]
}

# in_cache FILE VERSION DIGEST: whether the binary of the tool cache may be used. The cache of a
# self-hosted runner outlives jobs, so a digest that is known is compared every time.
in_cache() {
  [ -x "$1" ] || return 1
  if [ -n "$3" ]; then
    is_good "$1" "$3" && return
    printf '::warning title=lcmbench::%s is not the binary of the release, so it is not used\n' "$1"
    return 1
  fi
  has_version "$1" "$2"
}

# download NAME VERSION DIGEST FILE: the file of the release, under its name only once it is good.
download() {
  local folder partial url
  folder=$(dirname "$4")
  mkdir -p "$folder"
  partial=$(mktemp "$folder/.download-XXXXXX")
  url="https://github.com/$repository/releases/download/v$2/$1"
  if ! curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --retry 5 \
    --connect-timeout 20 --max-time 300 --output "$partial" "$url"; then
    rm -f "$partial"
    fail "the release $url cannot be downloaded; put the binary on PATH or name it with 'binary-path'"
  fi
  if ! is_good "$partial" "$3"; then
    rm -f "$partial"
    fail "what was downloaded from $url is not the file that this Action knows (SHA-256 $3)"
  fi
  chmod 755 "$partial"
  mv -f "$partial" "$4"
}

# find_binary VERSION NAMED CARGO FOLDER: sets `binary`.
find_binary() {
  local version=$1 named=$2 cargo=$3 folder=$4 platform name digest cached
  if [ -n "$named" ]; then
    [ -x "$named" ] && [ -f "$named" ] || fail "the input 'binary-path' names '$named', which is no executable file"
    binary=$(realpath "$named")
    return
  fi
  platform=$(target) || fail "there is no release for $(uname -s) on $(uname -m); build one and name it with 'binary-path'"
  name="lcmbench-$version-$platform"
  digest=$(known_digest "$name" "$folder")
  cached="${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-/tmp}}/lcmbench/$version/$platform/lcmbench"
  if in_cache "$cached" "$version" "$digest"; then
    binary=$cached
    return
  fi
  binary=$(type -P lcmbench || true)
  if [ -n "$binary" ] && has_version "$binary" "$version"; then
    return
  fi
  if [ -n "$digest" ]; then
    download "$name" "$version" "$digest" "$cached"
    binary=$cached
  elif [ "$cargo" = true ]; then
    CARGO_TARGET_DIR="${RUNNER_TEMP:-/tmp}/lcmbench-build" \
      cargo install --locked --quiet --root "${RUNNER_TEMP:-/tmp}/lcmbench-cargo" \
      --path "$folder/../.." || fail "cargo could not build lcmbench"
    binary="${RUNNER_TEMP:-/tmp}/lcmbench-cargo/bin/lcmbench"
    has_version "$binary" "$version" || fail "this Action's source is not version $version, which was asked for"
  else
    fail "no lcmbench $version was found: not in the tool cache, not on PATH (${binary:-none there}), and this Action knows no release of it for $platform; put it on PATH, name it with 'binary-path', or set 'cargo-install: true'"
  fi
}
