import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Payload } from 'sidecard/schema'
import { renderHtml } from '../../../src/runtime/render/index.ts'

const payload: Payload = {
  version: '1.0.0',
  header: { title: 'Billing & <plans>', icon_url: 'https://cdn.example/icon.png' },
  components: [
    {
      type: 'card',
      header: { title: 'Plan' },
      components: [
        { type: 'text', label: 'Plan', value: 'Enterprise', icon_url: 'https://cdn.example/a.png' },
        { type: 'badge', label: 'Status', items: [{ value: 'Active', color: 'green' }] },
        { type: 'date_time', label: 'Renews', value: '2027-03-01T00:30:00+02:00' },
        { type: 'divider' },
        { type: 'button', label: 'Open', button_type: 'link', url: 'https://a.example/?a=1&b="2"' },
      ],
    },
    { type: 'link', label: 'Write', url: 'mailto:ada@example.com' },
  ],
}

test('shows every component', () => {
  const html = renderHtml(payload, { timeZone: 'Asia/Tokyo' })
  expect(html).toMatch(/^<!doctype html>\n/)
  expect(html).toContain('<title>Billing &amp; &lt;plans&gt;</title>')
  expect(html).toContain('<h3 class="cut" dir="auto">Plan</h3>')
  expect(html).toContain('Enterprise')
  expect(html).toContain('<li class="green"><span class="cut" dir="auto">Active</span></li>')
  expect(html).toContain(
    '<time datetime="2027-03-01T00:30:00+02:00">2027-03-01 07:30 Asia/Tokyo</time>',
  )
  expect(html).toContain('href="https://a.example/?a=1&amp;b=&quot;2&quot;"')
  expect(html).toContain('href="mailto:ada@example.com"')
  expect(html).toContain('<hr>')
})

test('shows that a payload has no components', () => {
  expect(renderHtml({ ...payload, components: [] })).toContain('No components')
})

test('loads no resources and runs no scripts', () => {
  const html = renderHtml(payload)
  expect(html).not.toMatch(/<script|<img|<link|<iframe|@import|url\(| style=| on\w+=/)
  expect(html).not.toContain('cdn.example')
  const [, policy] = /content="(default-src[^"]+)"/.exec(html) ?? []
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  )
})

test('shows the real host of a link with credentials', () => {
  const url = 'https://bank.example:pw@evil.example/x'
  const html = renderHtml({ ...payload, components: [{ type: 'link', label: 'Bank', url }] })
  expect(html).toContain('<small>evil.example</small>Bank')
  expect(renderHtml(payload)).not.toContain('<small>')
})

test('does not link to a URL that runs code, even in an unvalidated payload', () => {
  const components = [{ type: 'link' as const, label: 'Run', url: 'javascript:alert(1)' }]
  const html = renderHtml({ ...payload, components })
  expect(html).not.toContain('javascript:')
  expect(html).toContain('Run')
})

test('escapes any text', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=y>',
      "' onclick='x",
      ']]>',
      '<!--',
      '\0',
    ),
  )
  const tags = (html: string) =>
    html.slice(html.indexOf('<body>')).replaceAll(/[^<>]*(<[^>]*>)[^<>]*/g, '$1')
  const page = (text: string) =>
    renderHtml({
      version: '1.0.0',
      header: { title: text },
      components: [
        {
          type: 'card',
          header: { title: text },
          components: [{ type: 'text', label: text, value: text }],
        },
        { type: 'badge', label: text, items: [{ value: text, color: 'red' }] },
        { type: 'link', label: text, url: 'https://x.example/' },
      ],
    })
  const long = (text: string) => (text.length > 44 || text.includes('\n') ? 'x'.repeat(50) : 'x')
  fc.assert(
    fc.property(
      hostile.filter((text) => text !== ''),
      (text) => {
        expect(tags(page(text))).toBe(tags(page(long(text))))
        // oxlint-disable-next-line no-control-regex -- the test searches for control characters
        expect(page(text)).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/)
      },
    ),
  )
}, 30_000)
