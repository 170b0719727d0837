import { describe, expect, test } from 'vitest'
import { validatePayload } from 'sidecard/schema'
import { PAYLOAD_ISSUE_CODES } from '../../../src/runtime/contract/issues.ts'

const header = { title: 'Billing' }

function findIssues(value: unknown, options?: Parameters<typeof validatePayload>[1]) {
  const verdict = validatePayload(value, options)
  return verdict.ok ? [] : verdict.issues
}

function inPayload(...components: unknown[]) {
  return { version: '1.0.0', header, components }
}

test('names the path, a stable code and the fix', () => {
  const badge = { type: 'badge', label: 'Status', items: [{ value: 'Late', color: 'grey' }] }
  expect(findIssues(inPayload({ type: 'divider' }, { type: 'divider' }, badge))).toEqual([
    {
      path: 'components[2].items[0].color',
      code: 'invalid_color',
      message: '"grey" is not an allowed color',
      fix: 'Use "gray".',
    },
  ])
})

test('returns a plain copy of the payload', () => {
  const payload = inPayload(
    {
      type: 'card',
      header: { title: 'Plan', icon_url: 'https://example.com/i.png' },
      components: [
        { type: 'text', label: 'Plan', value: 'line 1\nline 2 "quoted" \ud800' },
        { type: 'date_time', label: 'Renews', value: '2026-11-21T09:30:00Z' },
        { type: 'badge', label: 'Tags', items: [{ value: 'Active', color: 'green' }] },
      ],
    },
    { type: 'button', label: 'Open', button_type: 'link', url: 'https://example.com/a?b=c#d' },
    { type: 'link', label: '', url: 'https://example.com' },
    { type: 'divider' },
  )
  const verdict = validatePayload(payload)
  expect(verdict).toEqual({ ok: true, payload })
  expect(verdict.ok && verdict.payload).not.toBe(payload)
})

test('returns 20 issues, or as many as requested, and counts the others', () => {
  const bad = Array.from({ length: 500 }, () => ({ type: 'text', label: 1, value: '' }))
  expect(validatePayload(inPayload(...bad.slice(0, 20)))).toMatchObject({
    issues: { length: 20 },
    omittedCount: 0,
  })
  expect(validatePayload(inPayload(...bad))).toMatchObject({
    issues: { length: 20 },
    omittedCount: 480,
  })
  expect(validatePayload(inPayload(...bad), { maxIssues: 1000 })).toMatchObject({
    issues: { length: 500 },
    omittedCount: 0,
  })
  const paths = findIssues(inPayload(...bad)).map(({ path }) => path)
  expect(paths).toEqual([...bad.slice(0, 20).keys()].map((index) => `components[${index}].label`))
})

test('counts at most 10,000 issues that it does not return', () => {
  const components = Array.from({ length: 100_000 }, () => null)
  expect(validatePayload({ version: '1.0.0', header, components })).toMatchObject({
    issues: { length: 20 },
    omittedCount: 10_000,
  })
})

test('limits the number of components with an option', () => {
  const divider = { type: 'divider' }
  const payload = inPayload({ type: 'card', components: [divider, divider] }, divider)
  expect(validatePayload(payload, { maxComponents: 4 })).toMatchObject({ ok: true })
  expect(findIssues(payload, { maxComponents: 3 })).toMatchObject([
    { path: 'components[1]', code: 'too_many_components', message: 'exceeds the maximum of 3' },
  ])
})

test('removes unknown fields with an option, except those of a divider', () => {
  const payload = {
    ...inPayload(
      { type: 'card', tone: 1, header: { title: 'a', size: 2 }, components: [] },
      { type: 'badge', label: 'a', items: [{ value: 'b', color: 'red', icon: 3 }] },
    ),
    theme: 4,
  }
  expect(findIssues(payload)).toMatchObject([
    { path: 'components[0].header.size' },
    { path: 'components[0].tone' },
    { path: 'components[1].items[0].icon' },
    { path: 'theme' },
  ])
  expect(validatePayload(payload, { unknownFields: 'ignore' })).toEqual({
    ok: true,
    payload: inPayload(
      { type: 'card', header: { title: 'a' }, components: [] },
      { type: 'badge', label: 'a', items: [{ value: 'b', color: 'red' }] },
    ),
  })
  const divider = inPayload({ type: 'divider', label: 'x' })
  expect(findIssues(divider, { unknownFields: 'ignore' })).toMatchObject([
    { path: 'components[0].label', code: 'divider_field' },
  ])
})

describe('URI schemes', () => {
  const link = (url: string) => ({ type: 'link', label: '', url })
  const codes = (value: unknown, uriSchemes?: readonly string[] | 'any') =>
    findIssues(value, { uriSchemes }).map(({ path, code }) => [path, code])

  test('of links are http, https, mailto and tel by default', () => {
    const urls = ['http://h/', 'https://h/', 'mailto:a@h', 'tel:1', 'app:x']
    expect(codes(inPayload(...urls.map(link)))).toEqual([
      ['components[4].url', 'invalid_uri_scheme'],
    ])
  })

  test('of links can be a list, or any', () => {
    const payload = inPayload(link('app:x'), link('https://h/'))
    expect(codes(payload, ['app'])).toEqual([['components[1].url', 'invalid_uri_scheme']])
    expect(codes(payload, 'any')).toEqual([])
    const both = inPayload(link('http://h/'), link('https://h/'), link('https://h/%20'))
    expect(codes(both, ['https'])).toEqual([['components[0].url', 'invalid_uri_scheme']])
    expect(codes(both, ['http'])).toEqual([
      ['components[1].url', 'invalid_uri_scheme'],
      ['components[2].url', 'invalid_uri_scheme'],
    ])
  })

  test('are read at the start of a link only', () => {
    expect(codes(inPayload(link('https://h/%20?to=javascript:alert(1)')))).toEqual([])
  })

  test('of icons are http and https, if the list contains them', () => {
    const icon = (icon_url: string) => ({ version: '', header: { icon_url }, components: [] })
    for (const schemes of [undefined, 'any', ['app', 'mailto']] as const) {
      expect(codes(icon('https://h/'), schemes)).toEqual([])
      expect(codes(icon('http://h/'), schemes)).toEqual([])
      expect(codes(icon('app:x'), schemes)).toEqual([['header.icon_url', 'invalid_uri_scheme']])
      expect(codes(icon('mailto:a@h'), schemes)).toEqual([
        ['header.icon_url', 'invalid_uri_scheme'],
      ])
    }
    expect(codes(icon('https://h/'), ['https'])).toEqual([])
    expect(codes(icon('http://h/'), ['https'])).toEqual([['header.icon_url', 'invalid_uri_scheme']])
  })

  test('never include scripts and data', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x']) {
      for (const schemes of [undefined, 'any', ['javascript', 'data', 'vbscript']] as const) {
        expect(codes(inPayload(link(url)), schemes)).toEqual([['components[0].url', 'script_uri']])
      }
    }
  })
})

test('issues of fields precede those of unknown fields', () => {
  const text = { tip: 1, value: 7, label: 7, type: 'text', icon_url: 7 }
  expect(findIssues(inPayload(text)).map(({ path }) => path)).toEqual([
    'components[0].label',
    'components[0].value',
    'components[0].icon_url',
    'components[0].tip',
  ])
})

test('every code is one of the documented ones', () => {
  expect(new Set(PAYLOAD_ISSUE_CODES).size).toBe(PAYLOAD_ISSUE_CODES.length)
  const bad = inPayload(null, {}, { type: 'x' }, { type: 'divider', a: 1 })
  for (const { code } of findIssues(bad)) expect(PAYLOAD_ISSUE_CODES).toContain(code)
})
