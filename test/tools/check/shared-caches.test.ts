import { describe, expect, it } from 'vitest'
import type { CheckOptions } from 'sidecard/check'
import { checkParts } from '../../farm/farm.ts'
import { find, full, json, unknown } from '../../farm/seed.ts'
import { findResult } from './in-process.ts'

describe.concurrent('data that a shared cache may store', { timeout: 180_000 }, () => {
  const PUBLIC = 'public, max-age=60'
  const isFor = (
    options: CheckOptions,
    headers: Record<string, string>,
    authorized?: () => boolean,
  ) =>
    checkParts(
      {
        data: ({ id }) => json(find(id) ? full(find(id)!) : unknown(), 200, headers),
        ...(authorized && { authorized }),
      },
      options,
    ).then((report) => findResult(report, 'security-cache').status)

  it.each<readonly [string, Record<string, string>]>([
    ['fail', { 'cache-control': PUBLIC }],
    ['fail', { 'cache-control': 's-maxage=60' }],
    ['fail', { 'cache-control': PUBLIC, vary: 'accept' }],
    ['fail', { 'cache-control': 'private', 'surrogate-control': 'max-age=600' }],
    ['warn', { 'cache-control': PUBLIC, vary: 'Accept, X-Key' }],
    ['warn', { 'cache-control': PUBLIC, vary: '*' }],
    ['warn', { 'cache-control': 'public' }],
    ['warn', { 'cache-control': 'max-age=60' }],
    ['warn', { 'cache-control': `${PUBLIC}, s-maxage=0` }],
    ['warn', { 'cache-control': '', age: '12' }],
  ])('causes a %s with the headers %j', async (status, headers) => {
    expect(await isFor({}, headers)).toBe(status)
  })

  it('causes a failure only if the endpoint is protected, and the customer is known', async () => {
    const headers = { 'cache-control': PUBLIC }
    const detect = { expectAuth: 'detect' } as const
    expect(await isFor(detect, headers)).toBe('fail')
    expect(await isFor(detect, headers, () => true)).toBe('warn')
    expect(await isFor({ expectAuth: false }, headers)).toBe('warn')
    expect(await isFor({ customers: [] }, headers)).toBe('warn')
  })
})
