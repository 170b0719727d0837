import { describe, expect, test } from 'vitest'
import { SOAKS } from './soaks.ts'

describe('in short (npm run soak does it at full size)', () => {
  test.each(SOAKS)(
    '$says',
    async ({ soak, shortCount }) => {
      const { figures, failures } = await soak({ count: shortCount, seed: 11 })
      expect(failures).toEqual([])
      expect(figures['failures']).toBe(0)
    },
    60_000,
  )
})
