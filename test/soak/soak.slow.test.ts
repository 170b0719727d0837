import { describe, expect, test } from 'vitest'
import { SOAKS } from './soaks.ts'

describe('a short run (test/soak/run.ts runs it at full size)', () => {
  test.each(SOAKS)(
    '$description',
    async ({ soak, shortCount }) => {
      const { figures, failures } = await soak({ count: shortCount, seed: 11 })
      expect(failures).toEqual([])
      expect(figures['failures']).toBe(0)
    },
    60_000,
  )
})
