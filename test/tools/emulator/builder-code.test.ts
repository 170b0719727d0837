import * as fc from 'fast-check'
import * as sidecard from 'sidecard'
import type { Payload } from 'sidecard/schema'
import { expect, test } from 'vitest'
import { builderCode } from '../../../src/tools/emulator/builder-code.ts'
import { validPayload } from '../../helpers/payload-arbitraries.ts'

/** Runs code as a module would, with its one import. */
function run(code: string): unknown {
  const [, names = '', body = ''] =
    /^import \{ ([\w, ]+) \} from 'sidecard'\n\n([^]*)$/.exec(code) ?? []
  const known: Record<string, unknown> = { ...sidecard }
  const builders = names.split(', ').map((name) => known[name])
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- running it is the test
  return new Function(...names.split(', '), `return ${body}`)(...builders)
}

/** The builders require more than the contract: version 1.0.0 (A3) and a title (A1). */
function asBuilt(payload: Payload): Payload {
  return {
    version: '1.0.0',
    header: { title: '', ...payload.header },
    components: payload.components.map((component) =>
      component.type === 'card' && component.header !== undefined
        ? { ...component, header: { title: '', ...component.header } }
        : component,
    ),
  }
}

test('returns the same payload when run, for any strings', () => {
  fc.assert(
    fc.property(validPayload as fc.Arbitrary<Payload>, (payload) => {
      expect(run(builderCode(payload))).toEqual(asBuilt(payload))
    }),
    { numRuns: 300 },
  )
})

test('is formatted like hand-written code', () => {
  const code = builderCode({
    version: '1.0.0',
    header: { title: 'Billing' },
    components: [
      {
        type: 'card',
        header: { title: 'Plan' },
        components: [
          { type: 'text', label: 'Plan', value: "Noor's team" },
          { type: 'badge', label: 'Status', items: [{ value: 'Active', color: 'green' }] },
        ],
      },
      { type: 'divider' },
      { type: 'button', label: 'Open', button_type: 'link', url: 'https://example.com/' },
    ],
  })
  expect(code).toBe(`import { badge, button, card, divider, payload, text } from 'sidecard'

payload({
  header: { title: 'Billing' },
  components: [
    card({
      header: { title: 'Plan' },
      components: [
        text({ label: 'Plan', value: "Noor's team" }),
        badge({ label: 'Status', items: [{ value: 'Active', color: 'green' }] }),
      ],
    }),
    divider(),
    button({ label: 'Open', url: 'https://example.com/' }),
  ],
})
`)
})

test('escapes text that would reverse or hide the surrounding code', () => {
  const code = builderCode({
    version: '1.0.0',
    header: { title: 'a\u202Eb\u2028c\u200Bd' },
    components: [],
  })
  expect(code).toContain("'a\\u202eb\\u2028c\\u200bd'")
})
