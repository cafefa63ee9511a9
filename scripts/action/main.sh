#!/usr/bin/env bash
# The one step of the Action: finds the binary, turns the inputs into arguments, and becomes the
# binary, so that the runner's signals arrive there. Inputs come by variables alone.
set -CeEuo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/action/binary.sh
. "$here/binary.sh"

# fail MESSAGE: an error of usage, as an annotation. Line breaks and per cent signs would end it.
fail() {
  local message=${1//'%'/%25}
  message=${message//$'\r'/%0D}
  printf '::error title=lcmbench::%s\n' "${message//$'\n'/%0A}"
  exit 3
}

# Commands that talk to GitHub; the others have no use for a token.
reports() {
  case $1 in
    pr)
      # A measurement that is handed on is one without a token.
      [[ " ${arguments[*]} " != *' --handoff'[\ =]* ]]
      ;;
    pr-comment | check | report | doctor) true ;;
    *) false ;;
  esac
}

# Words as a shell would split them, but nothing is expanded: xargs knows quotes and backslashes only.
split_words() {
  local words
  words=$(mktemp)
  if ! printf '%s' "$1" | xargs printf '%s\0' >|"$words" 2>/dev/null; then
    rm -f "$words"
    fail "the input 'arguments' has a quote that is not closed: $1"
  fi
  mapfile -d '' -t arguments <"$words"
  rm -f "$words"
  # Without any words xargs calls printf once all the same.
  if [ "${#arguments[@]}" = 1 ] && [ -z "${arguments[0]}" ]; then
    arguments=()
  fi
}

command=${LCMBENCH_ACTION_COMMAND:-}
[[ $command =~ ^[a-z][a-z-]*$ ]] || fail "the input 'command' must be a command such as run, pr or check, not '$command'"

declare -a arguments=() options=()
split_words "${LCMBENCH_ACTION_ARGUMENTS:-}"

while IFS= read -r pattern; do
  [ -z "$pattern" ] || options+=("--bench=$pattern")
done <<<"${LCMBENCH_ACTION_BENCH:-}"
[ -z "${LCMBENCH_ACTION_PYTHON:-}" ] || options+=("--python=$LCMBENCH_ACTION_PYTHON")
[ -z "${LCMBENCH_ACTION_MACHINE:-}" ] || options+=("--machine=$LCMBENCH_ACTION_MACHINE")
# A list may be written with blanks or on several lines.
fail_on="${LCMBENCH_ACTION_FAIL_ON:-}"
fail_on="${fail_on//[[:space:]]/}"
[ -z "$fail_on" ] || options+=("--fail-on=$fail_on")

directory=${LCMBENCH_ACTION_DIRECTORY:-.}
[ -d "$directory" ] || fail "the input 'working-directory' names '$directory', which is no folder here; does actions/checkout come first?"

version=${LCMBENCH_ACTION_VERSION:-}
if [ -z "$version" ]; then
  version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$here/../../Cargo.toml" | head -n 1)
fi
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || fail "the input 'version' must be a version such as 1.2.3, not '$version'"

# Sets `binary`.
find_binary "$version" "${LCMBENCH_ACTION_BINARY:-}" "${LCMBENCH_ACTION_CARGO:-false}" "$here"

if reports "$command" && [ -n "${LCMBENCH_ACTION_TOKEN:-}" ]; then
  export LCMBENCH_TOKEN=$LCMBENCH_ACTION_TOKEN
fi
unset BASH_ENV "${!LCMBENCH_ACTION_@}"
cd -- "$directory"
exec "$binary" "$command" "${options[@]}" "${arguments[@]}"
