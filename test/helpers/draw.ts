import { createHash } from 'node:crypto'

// The workers inherit it, so that a run that lasts until the next day draws once.
process.env['DRAW'] ??= new Date().toISOString().slice(0, 10)

/** The seed of the drawn cases: the date, a text of the caller, or `all` for every case. */
export const DRAW = process.env['DRAW']

/** Whether the run has every case, as `npm run test:weekly` has. */
export const DRAWS_ALL = DRAW === 'all'

/** The seed of what is drawn by libraries. A run of every case draws differently each time. */
export const SEED = DRAWS_ALL ? null : createHash('sha256').update(DRAW).digest().readInt32LE()

/** Draws some cases of a slow test, so that each day runs different ones. */
export function draw<Case>(cases: readonly Case[], count: number, salt = ''): readonly Case[] {
  if (DRAWS_ALL) return cases
  const rank = (index: number) =>
    createHash('sha256').update(`${DRAW} ${salt} ${index}`).digest('hex')
  const drawn = cases.map((_, index) => index).toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
  return cases.filter((_, index) => drawn.indexOf(index) < count)
}
