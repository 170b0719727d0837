import { expect, test } from 'vitest'
import type { Claims } from 'sidecard/actions'

const soon = () => Math.floor(Date.now() / 1_000) + 60

/** Tests what every implementation of claims does. */
export function testClaims(create: () => Claims): void {
  test('one of 50 concurrent owners takes a claim', async () => {
    const claims = create()
    const id = crypto.randomUUID()
    const results = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => claims.claim(id, `owner-${index}`, soon())),
    )
    expect(results.filter((result) => result === 'claimed')).toHaveLength(1)
    const other = results.find((result) => result !== 'claimed')
    expect(other).toMatchObject({ state: 'running', atSeconds: expect.any(Number) })
  })

  test('an owner who sends a claim again still has it, until it ends', async () => {
    const claims = create()
    const id = crypto.randomUUID()
    expect(await claims.claim(id, 'a', soon())).toBe('claimed')
    expect(await claims.claim(id, 'a', soon())).toBe('claimed')
    await claims.settle(id, 'a', 'done')
    expect(await claims.claim(id, 'a', soon())).toMatchObject({ state: 'done' })
  })

  test.each(['done', 'unknown'] as const)('a claim that ended as %s stays so', async (state) => {
    const claims = create()
    const id = crypto.randomUUID()
    expect(await claims.find?.(id)).toBeFalsy()
    await claims.claim(id, 'a', soon())
    expect(await claims.find?.(id)).toMatchObject({ state: 'running' })
    await claims.settle(id, 'a', state)
    expect(await claims.claim(id, 'b', soon())).toMatchObject({ state })
    expect(await claims.find?.(id)).toMatchObject({ state, atSeconds: expect.any(Number) })
  })

  test('only its owner ends or releases a claim', async () => {
    const claims = create()
    const id = crypto.randomUUID()
    await claims.claim(id, 'owner', soon())
    for (const other of ['b', 'own', 'owner ', '*', '']) {
      await claims.settle(id, other, 'done')
      await claims.release(id, other)
    }
    expect(await claims.find?.(id)).toMatchObject({ state: 'running' })
    await claims.release(id, 'owner')
    expect(await claims.claim(id, 'b', soon())).toBe('claimed')
  })

  test('an expired claim counts as absent', async () => {
    const claims = create()
    const id = crypto.randomUUID()
    await claims.claim(id, 'a', Math.floor(Date.now() / 1_000) + 1)
    await expect.poll(() => claims.claim(id, 'b', soon()), { timeout: 5_000 }).toBe('claimed')
  })
}
