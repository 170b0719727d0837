import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { createMapStore, fetchSection, type Ids, uniqueName } from '../../helpers/cache.ts'

const NOT_IN_A_WORD = fc.constantFrom('', '_', '-', ' ', '/', '"', '🙂', '\ud83d', '\u0301', '²')

/** Text that was built from an absent value: `acc_undefined`. */
const absentText = fc
  .tuple(
    fc.constantFrom('', 'acc_', 'a:1:', 'é_', '𐐷 '),
    NOT_IN_A_WORD,
    fc.constantFrom('undefined', 'null', 'NaN', '[object Object]'),
    NOT_IN_A_WORD,
    fc.constantFrom('', '_2', ' null', ':ß'),
  )
  .map((parts) => parts.join(''))

const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\u00a0', '\ufeff') })

test('content is never cached under a key with an absent part, and one warning names the part', async () => {
  const store = createMapStore()
  const sections = sectionCache({ name: uniqueName(), store, ttlSeconds: 60 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('org-1', 0, false, 0n)),
      fc.oneof(fc.constantFrom(undefined, null, Number.NaN), blank, absentText),
      fc.array(fc.constantFrom<unknown>('org-1', 7, null)),
      async (before, absent, after) => {
        const key = [...before, absent, ...after]
        const load = async () => '[1]'
        const section = await fetchSection(sections, { key, load })
        const part = `key[${before.length}]`
        expect(section.scope.warnings).toEqual([
          { problem: 'absent_key_part', about: { section: 'Orders', part } },
        ])
        expect(section.scope.spans).toEqual([])
      },
    ),
  )
  expect(store.values.size).toBe(0)
})

test.each([
  'annulled',
  'nullable',
  'acc_nulls',
  'undefined7',
  '٣null',
  'éundefined',
  'nullß',
  '𝐀NaN',
  'Null',
  'UNDEFINED',
  'nan',
  '[object Map]',
])('the text %j is a value in a key', async (text) => {
  const cache = sectionCache({ name: uniqueName(), store: memoryStore(), ttlSeconds: 60 })
  await fetchSection(cache, { key: [text], load: async () => '[1]' })
  const { text: shown } = await fetchSection(cache, { key: [text], load: async () => '[2]' })
  expect(shown).toBe('hit [1]')
})

test.each([undefined, '', ' \t', 'org_undefined'])(
  'content is not cached for a request with the organization %j',
  async (organization_id) => {
    const ids = { organization_id } as Ids
    const store = createMapStore()
    const about = { part: 'organization_id' }
    const load = async () => '[1]'
    const cache = sectionCache({ name: uniqueName(), store, ttlSeconds: 60 })
    const section = await fetchSection(cache, { ids, load })
    const problem = 'absent_key_part'
    expect(section.scope.warnings).toEqual([{ problem, about: { section: 'Orders', ...about } }])
    await section.scope.finish()
    expect(store.values.size).toBe(0)
  },
)
