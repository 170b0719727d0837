#!/usr/bin/env bash
# The check step of action.yml. Inputs arrive in the environment, so that none is read as shell code.
set -euo pipefail

folder="${RUNNER_TEMP:?}/sidecard-check"
mkdir -p "$folder"
summary="$folder/summary.txt"
report="$folder/report.json"
rm -f "$summary" "$report"

args=("$SIDECARD_CHECK_URL" --profile "${SIDECARD_CHECK_PROFILE:-full}" --latency-samples "${SIDECARD_CHECK_LATENCY_SAMPLES:-0}")
while IFS= read -r line; do
  if [[ -n "${line// /}" ]]; then args+=(--header "$line"); fi
done <<<"${SIDECARD_CHECK_HEADERS:-}"
while IFS= read -r line; do
  if [[ "$line" == shows=* ]]; then args+=(--shows "${line#shows=}")
  elif [[ "$line" == unknown-shows=* ]]; then args+=(--unknown-shows "${line#unknown-shows=}")
  elif [[ -n "${line// /}" ]]; then args+=(--param "$line"); fi
done <<<"${SIDECARD_CHECK_PARAMS:-}"
if [[ "${SIDECARD_CHECK_EXPECT_AUTH:-false}" == true ]]; then args+=(--expect-auth); fi
if [[ "${SIDECARD_CHECK_STRICT:-false}" == true ]]; then args+=(--strict); fi
if [[ -n "${SIDECARD_CHECK_MAX_P95:-}" ]]; then args+=(--max-p95 "$SIDECARD_CHECK_MAX_P95"); fi
if [[ -n "${SIDECARD_CHECK_BASELINE:-}" ]]; then args+=(--baseline "$SIDECARD_CHECK_BASELINE"); fi

code=0
npx --yes "sidecard@${SIDECARD_CHECK_VERSION:?}" check "${args[@]}" \
  --reporter github --reporter "human=$summary" --reporter "json=$report" || code=$?

# A report has no line that starts with a tilde, so no text of the endpoint ends the block.
if [[ -f "$summary" ]]; then printf '~~~text\n%s\n~~~\n' "$(cat "$summary")" >>"$GITHUB_STEP_SUMMARY"; fi
if [[ -f "$report" ]]; then
  {
    echo "verdict=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).verdict' "$report")"
    echo "report=$report"
  } >>"$GITHUB_OUTPUT"
fi
exit "$code"
