import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { identify } from 'sidecard'
import { fetchFrom } from '../../helpers/identify.ts'

describe('email_domain', () => {
  /** Returns the domain that the lookup receives, or `undefined` if it is skipped. */
  async function findDomain(email: string, publicEmailDomains: readonly string[] = []) {
    let domain: string | undefined
    await fetchFrom(
      (ctx) =>
        identify(
          ctx,
          { email_domain: (host) => void (domain = host) },
          { publicEmailDomains },
        ) as never,
      { requester_email: email },
    )
    return domain
  }

  test.each([
    ['jane@acme.example', 'acme.example'],
    ['jane@1password.example', '1password.example'],
    ['jane@a.7example', 'a.7example'],
    [' Jane+x@ACME.Example ', 'acme.example'],
    ['jane@eu.mail.acme.example', 'eu.mail.acme.example'],
    ['jane@Bücher.example', 'xn--bcher-kva.example'],
    ['jane@xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['\u200Bjane@ac\u200Bme.example\u00AD', 'acme.example'],
    ['jane@例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['jane@acme.example.', 'acme.example'],
    ['jane@intranet', 'intranet'],
    ['jane@team7', 'team7'],
    ['"a@b"@acme.example', 'acme.example'],
  ])('of %j is %j', async (email, domain) => {
    expect(await findDomain(email)).toBe(domain)
  })

  test.each([
    '"x"@evil.example,"y"@corp.example',
    '"x"@evil.example"@corp.example',
    '"x" @evil.example "y"@corp.example',
    '"x\\"@corp.example',
    'jane',
    'jane@',
    '@acme.example',
    '@',
    'jane@evil.example@acme.example',
    'jane@acme.example/path',
    'jane@acme.example:443',
    'jane@acme.example#x',
    'jane@evil.example\\@acme.example',
    'jane@ac\tme.example',
    'jane@ac me.example',
    'Jane <jane@acme.example>',
    'jane@[127.0.0.1]',
    'jane@127.0.0.1',
    'jane@10.0.0.17',
    'jane@2130706433',
    'jane@%61cme.example',
    'jane@acme..example',
    'jane@.acme.example',
    `jane@${'a'.repeat(300)}.example`,
    `jane@${'a.'.repeat(130)}example`,
  ])('is skipped for %j', async (email) => {
    expect(await findDomain(email)).toBeUndefined()
  })

  test.each([
    'gmail.com',
    'GMAIL.com',
    'gmail.com.',
    'googlemail.com',
    'gmail。com',
    'yahoo.co.uk',
    'yahoo.com.br',
    'hotmail.fr',
    'outlook.com',
    'live.nl',
    'icloud.com',
    'proton.me',
    'gmx.at',
    'web.de',
    't-online.de',
    'qq.com',
    'mail.ru',
    'yandex.com.tr',
    'privaterelay.appleid.com',
    'nc.rr.com',
  ])('is skipped for the public provider %s', async (host) => {
    expect(await findDomain(`jane@${host}`)).toBeUndefined()
  })

  test.each([
    'notgmail.com',
    'gmail.com.acme.example',
    'mygmx.de',
    'yahoo.com.acme.example',
    'yahoo-inc.example',
    'e.example',
  ])('is not skipped for %s', async (host) => {
    expect(await findDomain(`jane@${host}`)).toBe(host)
  })

  test('is skipped for the domains of the option publicEmailDomains', async () => {
    const more = ['Freemail.Example', '@bücher.example', 'a.example.', 'x@y.example', '', 'a b']
    expect(await findDomain('jane@freemail.example', more)).toBeUndefined()
    expect(await findDomain('jane@mail.freemail.example', more)).toBeUndefined()
    expect(await findDomain('jane@bücher.example', more)).toBeUndefined()
    expect(await findDomain('jane@a.example', more)).toBeUndefined()
    expect(await findDomain('jane@xy.example', more)).toBe('xy.example')
    expect(await findDomain('jane@a.undefined', more)).toBe('a.undefined')
    expect(await findDomain('jane@acme.example', more)).toBe('acme.example')
  })

  test('is a lowercase host name for any email, or skipped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (tail) => {
        const domain = await findDomain(`jane@${tail}`)
        expect(domain ?? 'a').toMatch(/^[a-z\d_-]+(\.[a-z\d_-]+)*$/)
      }),
      { numRuns: 100 },
    )
  })
})
