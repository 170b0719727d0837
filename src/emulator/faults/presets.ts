import type { FaultPresetView } from '../protocol.ts'

/** The named sets of rules, in the order of the menu. */
export const FAULT_PRESETS: readonly FaultPresetView[] = [
  {
    id: 'slow',
    name: 'Slow',
    description: 'The API and the way to the apps take one to three seconds more.',
    rules: [
      { side: 'api', effect: { type: 'delay', delayMs: 1_000, jitterMs: 2_000 } },
      { side: 'apps', effect: { type: 'delay', delayMs: 1_000, jitterMs: 2_000 } },
    ],
  },
  {
    id: 'flaky',
    name: 'Flaky',
    description: 'One request in five is reset, answered 502, or cut off in the middle.',
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
    description: 'Every second request to the API is answered 429 with Retry-After: 1.',
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
    description: 'The API answers 503 to everything.',
    rules: [{ side: 'api', effect: { type: 'status', status: 503 } }],
  },
  {
    id: 'schema-drift',
    name: 'Schema drift',
    description: 'Objects of the API lose a field, change the type of one, and gain a new one.',
    rules: [{ side: 'api', effect: { type: 'schema_drift' } }],
  },
  {
    id: 'bad-pagination',
    name: 'Bad pagination',
    description: 'Lists say that there is more and give the same cursor again.',
    rules: [{ side: 'api', effect: { type: 'bad_pagination', kind: 'repeat' } }],
  },
]
