import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { payloadSchema, validatePayload } from 'sidecard/schema'
import { encodePayload } from '../../src/contract/walk.ts'
import { nearPayload, validPayload } from '../helpers/payload-arbitraries.ts'

/** `SIDECARD_RUNS=1000000` for the long run. */
const numRuns = Number(globalThis.process?.env['SIDECARD_RUNS'] ?? 3000)

/** A path of zod in our spelling; an unknown field is named, where zod names its owner. */
function firstPath(value: unknown): string | undefined {
  const issue = payloadSchema.safeParse(value).error?.issues[0]
  if (issue === undefined) return undefined
  const path =
    issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
}

test('the walk and the zod schema give the same verdict, and the same place of the first issue', () => {
  fc.assert(
    fc.property(nearPayload, (value) => {
      const verdict = validatePayload(value)
      const path = firstPath(value)
      expect(verdict.ok).toBe(path === undefined)
      const ours = verdict.ok ? undefined : verdict.issues[0]?.path
      // A field with an odd name is written in brackets, which zod's paths do not have.
      expect([path, undefined]).toContain(ours?.includes('["') ? undefined : ours)
    }),
    { numRuns },
  )
}, 3_600_000)

test('a valid payload is written as JSON.stringify writes it, whatever order its fields are in', () => {
  fc.assert(
    fc.property(validPayload, (payload) => {
      const encoded = encodePayload(payload)
      expect(encoded).toMatchObject({ ok: true })
      expect(encoded.ok && JSON.parse(encoded.json)).toEqual(payload)
      expect(encoded.ok && encoded.json).toBe(JSON.stringify(payloadSchema.parse(payload)))
    }),
    { numRuns },
  )
}, 3_600_000)
