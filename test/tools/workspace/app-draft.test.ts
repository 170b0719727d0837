import { expect, test } from 'vitest'
import type { AppView } from '../../../src/tools/emulator/protocol/workspace.ts'
import { toUpdate, toDraft, toInput } from '../../../src/tools/workspace/apps/app-draft.ts'

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

test('an unchanged form sends no changes', () => {
  expect(toUpdate(APP, toDraft(APP))).toEqual({})
})

test('only changes are sent: an unchanged header is absent, and a removed one is null', () => {
  const draft = toDraft(APP)
  const headers = draft.headers.filter(({ name }) => name !== 'x-other')
  expect(toUpdate(APP, { ...draft, headers, name: ' Plans ' })).toEqual({
    name: 'Plans',
    headers: { 'x-other': null },
  })
})

test('a replaced header is sent with its new value, even if it is empty', () => {
  const draft = toDraft(APP)
  const headers = draft.headers.map((header) =>
    header.name === 'x-secret' ? { ...header, isKept: false, value: '' } : header,
  )
  expect(toUpdate(APP, { ...draft, headers })).toEqual({ headers: { 'x-secret': '' } })
})

test('empty rows of a new app are omitted', () => {
  const draft = toDraft(undefined)
  const headers = [{ key: 0, name: ' ', value: 'x', isKept: false }]
  expect(toInput({ ...draft, name: 'A', url: ' http://x.example/ ', headers })).toEqual({
    name: 'A',
    url: 'http://x.example/',
  })
})
