import { expect, test } from 'vitest'
import type { AppView } from '../../../src/emulator/protocol.ts'
import { changeOf, draftOf, inputOf } from '../../../src/emulator/ui/apps/app-draft.ts'

const APP: AppView = {
  id: 'app_1',
  name: 'Billing',
  url: 'http://127.0.0.1:8787/',
  headerNames: ['x-secret', 'x-other'],
  widgets: [{ id: 'wid_1', name: 'Billing' }],
  state: 'connected',
  handshaking: false,
  lastHandshake: null,
}

test('a form that nobody touched changes nothing', () => {
  expect(changeOf(APP, draftOf(APP))).toEqual({})
})

test('only what was changed is sent; a header that stays is not named, one that goes is null', () => {
  const draft = draftOf(APP)
  const headers = draft.headers.filter(({ name }) => name !== 'x-other')
  expect(changeOf(APP, { ...draft, headers, name: ' Plans ' })).toEqual({
    name: 'Plans',
    headers: { 'x-other': null },
  })
})

test('a header that is replaced is sent with its new value, also when it is empty', () => {
  const draft = draftOf(APP)
  const headers = draft.headers.map((header) =>
    header.name === 'x-secret' ? { ...header, isKept: false, value: '' } : header,
  )
  expect(changeOf(APP, { ...draft, headers })).toEqual({ headers: { 'x-secret': '' } })
})

test('empty rows of a new app are left out', () => {
  const draft = draftOf(undefined)
  const headers = [{ key: 0, name: ' ', value: 'x', isKept: false }]
  expect(inputOf({ ...draft, name: 'A', url: ' http://x.example/ ', headers })).toEqual({
    name: 'A',
    url: 'http://x.example/',
  })
})
