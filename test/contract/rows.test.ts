import { describe, expect, test } from 'vitest'
import { payloadSchema, validatePayload } from 'sidecard/schema'
import { rows } from '../fixtures/payloads/rows.ts'

describe('every row of the contract’s tables', () => {
  test.each(rows)('$name', ({ payload, issue }) => {
    const verdict = validatePayload(payload)
    const issues = verdict.ok ? [] : verdict.issues.map(({ path, code }) => ({ path, code }))
    expect(issues).toEqual(issue === undefined ? [] : [issue])
    expect(verdict.ok ? verdict.payload : payload).toEqual(payload)
    expect(payloadSchema.safeParse(payload).success).toBe(issue === undefined)
  })
})
