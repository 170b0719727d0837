import { describe, expect, test } from 'vitest'
import { payloadSchema, validatePayload } from 'sidecard/schema'
import { rows } from '../../fixtures/payloads/rows.ts'

describe('every row of the contract’s tables', () => {
  test.each(rows)('$name', ({ payload, issue }) => {
    const result = validatePayload(payload)
    const issues = result.ok ? [] : result.issues.map(({ path, code }) => ({ path, code }))
    expect(issues).toEqual(issue === undefined ? [] : [issue])
    expect(result.ok ? result.payload : payload).toEqual(payload)
    expect(payloadSchema.safeParse(payload).success).toBe(issue === undefined)
  })
})
