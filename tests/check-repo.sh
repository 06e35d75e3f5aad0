#!/usr/bin/env bash
# TAP: words that must not be in the repository. To add a rule, add a `forbid` line at the end and raise the plan.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

number=0
failed=0

# What git tracks or would track; without git, whatever is no build folder.
list_files ()
{
  git ls-files -z --cached --others --exclude-standard 2>/dev/null ||
    find . -path ./.git -prune -o -path './build*' -prune -o -type f -print0
}

files=()
while IFS= read -r -d '' file; do
  file=${file#./}
  # Git still lists a file that was deleted but not committed yet; the corpus is not ours.
  if [[ $file != tests/json/corpus/* && -f $file ]]; then
    files+=("$file")
  fi
done < <(list_files)

# forbid WHAT PATTERN WHERE [EXCEPT]: no file whose name matches the regular expression WHERE holds PATTERN.
forbid ()
{
  local what=$1 pattern=$2 where=$3 except=${4:-^$} file chosen=() found='' status=1

  number=$((number + 1))
  for file in "${files[@]}"; do
    if [[ $file =~ $where && ! $file =~ $except ]]; then
      chosen+=("$file")
    fi
  done

  if ((${#chosen[@]} != 0)); then
    status=0
    found=$(grep -nHIE -e "$pattern" -- "${chosen[@]}") || status=$?
  fi
  case $status in
    1) printf 'ok %d - %s\n' "$number" "$what" ;;
    0)
      failed=1
      printf 'not ok %d - %s\n' "$number" "$what"
      printf '%s\n' "$found" | sed 's/^/# /'
      ;;
    *)
      echo "Bail out! grep failed"
      exit 1
      ;;
  esac
}

if ((${#files[@]} == 0)); then
  echo 'Bail out! no files found'
  exit 1
fi

before='(^|[^_[:alnum:]])'
call='[[:space:]]*\('
code='^(sdk|host|plugins)/'
c_file='\.[ch]$'

echo '1..7'
forbid 'no paths of a particular machine' '(^|[^_.[:alnum:]])/(work|root|home)/' '.'
forbid 'no notes about unfinished work' "${before}(TODO|FIXME)\\b" "$code"
forbid 'the libraries never abort' "${before}g_error$call" '^(sdk|host)/'
forbid 'the libraries never exit' "${before}_?exit$call" "^(sdk|host)/.*$c_file" '^host/cli/'
forbid 'plugins are never unloaded' "${before}(dlclose|g_module_close)$call" "$c_file"
forbid 'char and int are spelled as in C' "${before}g(char|int)\\b" "$code.*$c_file"
# The fixture whose purpose is to block the loop may do so.
forbid 'tests never sleep' "${before}(g_u|u|nano)?sleep$call" '^tests/.*\.c$' '/blocks-loop'
exit "$failed"
