/** The IDs of docs/assumptions.md. A new one needs an entry in `ASSUMPTIONS`. */
export const ASSUMPTION_IDS = [
  'A1',
  'A2',
  'A3',
  'A4',
  'A5',
  'A6',
  'A7',
  'A8',
  'A9',
  'A10',
  'A11',
  'A12',
  'A13',
  'A14',
  'A15',
  'A16',
  'A17',
] as const

/** The ID of an assumption. */
export type AssumptionId = (typeof ASSUMPTION_IDS)[number]
