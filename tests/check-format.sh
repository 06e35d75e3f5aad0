#!/usr/bin/env bash
# TAP: every C file looks as .clang-format says.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What git tracks or would track; without git, whatever is no build folder.
list_files ()
{
  git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' 2>/dev/null ||
    find . -name '.?*' -prune -o -path './build*' -prune -o -name '*.[ch]' -print0
}

if ! command -v clang-format >/dev/null; then
  echo '1..0 # SKIP clang-format is not installed'
  exit 0
fi
echo '1..1'

files=()
while IFS= read -r -d '' file; do
  file=${file#./}
  # Git still lists a file that was deleted but not committed yet.
  if [[ $file != tests/json/corpus/* && -f $file ]]; then
    files+=("$file")
  fi
done < <(list_files)

if ((${#files[@]} == 0)); then
  echo 'not ok 1 - no C files found'
  exit 1
fi

if clang-format --dry-run --Werror -- "${files[@]}" >&2; then
  echo 'ok 1 - every C file is formatted'
  exit 0
fi

echo 'not ok 1 - every C file is formatted'
for file in "${files[@]}"; do
  clang-format --dry-run --Werror -- "$file" 2>/dev/null || printf '# clang-format -i %s\n' "$file"
done
exit 1
