import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { payloadSchema, validatePayload } from 'sidecard/schema'
import { encodePayload } from '../../../src/runtime/contract/encode.ts'
import { nearPayload, validPayload } from '../../helpers/payload-arbitraries.ts'

/** `SIDECARD_RUNS=1000000` for the long run. */
const numRuns = Number(globalThis.process?.env['SIDECARD_RUNS'] ?? 3000)

/**
 * Returns the path of zod's first issue in our notation, including the name of an
 * unknown field.
 */
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

test('the generated code and the zod schemas agree on every payload, and on the path of the first issue', () => {
  fc.assert(
    fc.property(nearPayload, (value) => {
      const result = validatePayload(value)
      const path = firstPath(value)
      expect(result.ok).toBe(path === undefined)
      const ours = result.ok ? undefined : result.issues[0]?.path
      // An unusual field name is written in brackets, which zod's paths do not have.
      expect([path, undefined]).toContain(ours?.includes('["') ? undefined : ours)
    }),
    { numRuns },
  )
}, 3_600_000)

test('writes a valid payload as JSON.stringify does, in the order of the tables', () => {
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
