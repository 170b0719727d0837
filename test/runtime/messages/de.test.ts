import { noAuth, sidecard } from 'sidecard'
import { page, sidebar } from 'sidecard/messages/de'
import { expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES } from '../../../src/runtime/actions/messages.ts'
import { DEFAULT_MESSAGES } from '../../../src/runtime/app/messages.ts'
import { createActionApp, createExtendTrial, openPage, readLinks } from '../../helpers/actions.ts'

/** Texts that are the same in both languages. */
const SAME = new Set(['optional'])

/** Calls the texts that are functions, with the same arguments for each language. */
function render(texts: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]): [string, string][] => {
      if (typeof text === 'object') return Object.entries(render(text))
      return [[name, typeof text === 'function' ? text(['7'], '3', '4') : text]]
    }),
  )
}

test.each([
  ['sidebar', sidebar, DEFAULT_MESSAGES],
  ['page', page, DEFAULT_ACTION_MESSAGES],
])('every text of the %s is in English and in German', (_name, german, english) => {
  const [texts, originals] = [render(german), render(english)]
  expect(Object.keys(texts).toSorted()).toEqual(Object.keys(originals).toSorted())
  const same = Object.keys(texts).filter((name) => texts[name] === originals[name])
  expect(same.filter((name) => !SAME.has(name))).toEqual([])
  const isWrong = (text: string) => text.trim() === '' || text.includes('undefined')
  expect([texts, originals].flatMap(Object.values).filter(isWrong)).toEqual([])
})

test('a sidebar and the page of an action are in German', async () => {
  const app = sidecard({
    header: { title: 'Kunde' },
    auth: noAuth(),
    logger: false,
    messages: sidebar,
    fetchData: () => {
      throw new Error('down')
    },
  })
  const response = await app.request('/?request_type=fetch_data')
  expect(await response.text()).toContain('Die Daten konnten nicht geladen werden.')
  const actionApp = createActionApp(createExtendTrial(), { messages: page })
  const opened = await openPage(actionApp, (await readLinks(actionApp))[0]!)
  expect(opened.html).toContain('<html lang="de"')
  expect(opened.html).toContain('Angemeldet als robin@acme.example')
})
