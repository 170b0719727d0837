import type { FaultPresetView } from './rules.ts'

/** The fault presets, in the order of the menu. */
export const FAULT_PRESETS: readonly FaultPresetView[] = [
  {
    id: 'slow',
    name: 'Slow',
    description: 'Delays API and app responses by 1 to 3 seconds.',
    rules: [
      { side: 'api', effect: { type: 'delay', delayMs: 1_000, jitterMs: 2_000 } },
      { side: 'apps', effect: { type: 'delay', delayMs: 1_000, jitterMs: 2_000 } },
    ],
  },
  {
    id: 'flaky',
    name: 'Flaky',
    description: 'One request in five is reset, returns 502 or is truncated.',
    rules: [
      { side: 'api', probability: 0.07, effect: { type: 'reset' } },
      { side: 'api', probability: 0.07, effect: { type: 'status', status: 502 } },
      { side: 'api', probability: 0.07, effect: { type: 'cut_off' } },
      { side: 'apps', probability: 0.2, effect: { type: 'reset' } },
    ],
  },
  {
    id: 'rate-limited',
    name: 'Rate limited',
    description: 'Every second API request returns 429 with Retry-After: 1.',
    rules: [
      {
        side: 'api',
        probability: 0.5,
        effect: { type: 'status', status: 429, retryAfterSeconds: 1 },
      },
    ],
  },
  {
    id: 'outage',
    name: 'Outage',
    description: 'Every API request returns 503.',
    rules: [{ side: 'api', effect: { type: 'status', status: 503 } }],
  },
  {
    id: 'schema-drift',
    name: 'Schema drift',
    description: "API objects lose a field, gain a field, and change a field's type.",
    rules: [{ side: 'api', effect: { type: 'schema_drift' } }],
  },
  {
    id: 'bad-pagination',
    name: 'Bad pagination',
    description: 'Lists report a next page but repeat the cursor.',
    rules: [{ side: 'api', effect: { type: 'bad_pagination', kind: 'repeat' } }],
  },
]
