import type { FailureView } from '../../../emulator/protocol/exchanges.ts'

/** The failures that a state asks for, one line each. */
export function IntendedFailures({ failures }: { readonly failures: readonly FailureView[] }) {
  return failures
    .filter(({ intended }) => intended)
    .map(({ section, error }) => (
      <p key={section} class="hint" dir="auto">
        {error?.message}
      </p>
    ))
}
