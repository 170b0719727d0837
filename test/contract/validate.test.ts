import { expect, test } from 'vitest'
import { MAX_ISSUES, validatePayload } from 'sidecard/schema'

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
