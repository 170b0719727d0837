import { expect, test } from 'vitest'
import { MAX_ISSUES, PAYLOAD_ISSUE_CODES, validatePayload } from 'sidecard/schema'

const header = { title: 'Billing' }

function issuesOf(value: unknown, options?: Parameters<typeof validatePayload>[1]) {
  const verdict = validatePayload(value, options)
  return verdict.ok ? [] : verdict.issues
}

function inPayload(...components: unknown[]) {
  return { version: '1.0.0', header, components }
}

test('names the path, a stable code and the fix', () => {
  const badge = { type: 'badge', label: 'Status', items: [{ value: 'Late', color: 'grey' }] }
  expect(issuesOf(inPayload({ type: 'divider' }, { type: 'divider' }, badge))).toEqual([
    {
      path: 'components[2].items[0].color',
      code: 'invalid_color',
      message: '"grey" is not a colour: did you mean "gray"?',
    },
  ])
})

test('gives back a plain copy of what it judged', () => {
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

test('stops at 20 issues, however many there are', () => {
  const bad = Array.from({ length: 100_000 }, () => ({ type: 'text', label: 1 }))
  expect(issuesOf(inPayload(...bad.slice(0, 1000)))).toHaveLength(MAX_ISSUES)
  expect(issuesOf({ version: '1.0.0', header, components: bad })).toHaveLength(MAX_ISSUES)
})

test('unknown fields are left out on request, but never a divider’s', () => {
  const payload = {
    ...inPayload(
      { type: 'card', tone: 1, header: { title: 'a', size: 2 }, components: [] },
      { type: 'badge', label: 'a', items: [{ value: 'b', color: 'red', icon: 3 }] },
    ),
    theme: 4,
  }
  expect(issuesOf(payload)).toMatchObject([
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
  expect(issuesOf(divider, { unknownFields: 'ignore' })).toMatchObject([
    { path: 'components[0].label', code: 'unknown_field' },
  ])
})

test('other URI schemes are allowed on request, for links and icons alike', () => {
  const payload = {
    version: '1.0.0',
    header: { icon_url: 'app:icon' },
    components: [{ type: 'link', label: '', url: 'mailto:a@example.com' }],
  }
  expect(issuesOf(payload)).toMatchObject([
    { path: 'header.icon_url', code: 'invalid_uri_scheme' },
    { path: 'components[0].url', code: 'invalid_uri_scheme' },
  ])
  expect(issuesOf(payload, { uriSchemes: ['app', 'mailto'] })).toEqual([])
})

test('an issue of a field comes before those of unknown fields, as in the tables', () => {
  const text = { tip: 1, value: 7, label: 7, type: 'text', icon_url: 7 }
  expect(issuesOf(inPayload(text)).map(({ path }) => path)).toEqual([
    'components[0].label',
    'components[0].value',
    'components[0].icon_url',
    'components[0].tip',
  ])
})

test('every code is one of the documented ones', () => {
  expect(new Set(PAYLOAD_ISSUE_CODES).size).toBe(PAYLOAD_ISSUE_CODES.length)
  const bad = inPayload(null, {}, { type: 'x' }, { type: 'divider', a: 1 })
  for (const { code } of issuesOf(bad)) expect(PAYLOAD_ISSUE_CODES).toContain(code)
})
