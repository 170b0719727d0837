import type { ExchangeSummary } from '../../emulator/protocol/exchanges.ts'
import { isAsIntended } from '../../service/endpoint/as-intended.ts'
import { capitalize } from '../../internal/capitalize.ts'

/**
 * The color of an outcome. `info` is for a designed card, which is neither a
 * success nor a failure. `none` is for a failure that a state asks for.
 */
export type Tone = 'good' | 'info' | 'bad' | 'none'

/** An outcome in words. */
export interface OutcomeDescription {
  readonly text: string
  readonly tone: Tone
}

const SPECIAL: Partial<Record<ExchangeSummary['outcome'], OutcomeDescription>> = {
  connected: { text: 'Connected', tone: 'good' },
  shown: { text: 'Form shown', tone: 'info' },
  done: { text: 'Done', tone: 'good' },
  already_done: { text: 'Receipt: done', tone: 'good' },
  in_progress: { text: 'Receipt: running', tone: 'info' },
  unknown: { text: 'Receipt: unknown', tone: 'bad' },
  refused: { text: 'Refused', tone: 'info' },
  expired: { text: 'Link expired', tone: 'info' },
  rendered: { text: 'Rendered', tone: 'good' },
  not_found: { text: 'Customer not found', tone: 'info' },
  ambiguous: { text: 'Ambiguous match', tone: 'info' },
  not_available: { text: 'Not available', tone: 'info' },
  status: { text: 'Wrong status', tone: 'bad' },
  content_type: { text: 'Wrong Content-Type', tone: 'bad' },
  not_utf8: { text: 'Not UTF-8', tone: 'bad' },
  not_json: { text: 'Not JSON', tone: 'bad' },
  code_differs: { text: 'Wrong code', tone: 'bad' },
  json_as_text: { text: 'JSON sent as text', tone: 'bad' },
  text_as_json: { text: 'Text sent as JSON', tone: 'bad' },
  white_space: { text: 'Extra whitespace', tone: 'bad' },
}

/** Describes the outcome of a request: `unknown_component` → `Unknown component`, in red. */
export function describeOutcome({
  outcome,
  failures,
}: Pick<ExchangeSummary, 'outcome' | 'failures'>): OutcomeDescription {
  if (isAsIntended({ outcome, failures })) return { text: 'As intended', tone: 'none' }
  const words = outcome.replaceAll('_', ' ')
  return SPECIAL[outcome] ?? { text: capitalize(words), tone: 'bad' }
}
