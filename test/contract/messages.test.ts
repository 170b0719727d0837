import { expect, test } from 'vitest'
import { validatePayload } from 'sidecard/schema'

const text = { type: 'text', label: '', value: '' }
const link = { type: 'link', label: '', url: 'https://example.com' }
const dateTime = { type: 'date_time', label: '' }

function messageOf(component: unknown): string | undefined {
  const verdict = validatePayload({ version: '1.0.0', header: {}, components: [component] })
  return verdict.ok ? undefined : verdict.issues[0]?.message
}

test.each<[unknown, RegExp]>([
  [{ type: 'datetime' }, /did you mean "date_time"\?$/],
  [{ type: 'dateTime' }, /did you mean "date_time"\?$/],
  [{ type: 'Badge' }, /did you mean "badge"\?$/],
  [{ type: 'buton' }, /did you mean "button"\?$/],
  [{ type: 'chart' }, /use card, text, date_time, badge, button, link or divider$/],
  [{ type: 'image' }, /use card, text, date_time, badge, button, link or divider$/],
  [{}, /add "type", one of card, text/],
  [{ type: 'badge', label: '', items: [{ value: '', color: 'grey' }] }, /did you mean "gray"\?$/],
  [{ type: 'badge', label: '', items: [{ value: '', color: 'RED' }] }, /did you mean "red"\?$/],
  [
    { type: 'badge', label: '', items: [{ value: '', color: 'purple' }] },
    /use blue, green, red, orange or gray$/,
  ],
  [{ ...text, iconUrl: '' }, /did you mean "icon_url"\?$/],
  [{ ...text, 'icon-url': '' }, /did you mean "icon_url"\?$/],
  [{ ...link, buttonType: 'link' }, /remove it \(the fields are type, label, url\)$/],
  [{ ...text, value: 7 }, /got a number: write String\(value\)$/],
  [{ ...text, value: null }, /got null: write '' for none$/],
  [{ ...text, icon_url: null }, /got null: leave the field out$/],
  [{ ...text, value: new Date() }, /got a Date: write value\.toISOString\(\)$/],
  [{ ...link, url: null }, /must be a URI, .* got null: leave the component out/],
  [{ ...link, url: '/admin' }, /absolute URI.*https:\/\//],
  [{ ...link, url: 'https://example.com/a b' }, /encodeURI\(\)/],
  [{ ...link, url: 'https://example.com/%' }, /percent-encode/],
  [{ ...link, url: '' }, /got an empty string/],
  [{ ...link, url: 'ftp://example.com' }, /scheme http or https$/],
  [{ ...dateTime, value: '2026-11-21' }, /a date alone: add the time and the offset/],
  [{ ...dateTime, value: '2026-11-21T09:30:00' }, /without an offset: end it with Z or \+hh:mm$/],
  [{ ...dateTime, value: 'tomorrow' }, /such as 2026-11-21T09:30:00Z$/],
  [{ type: 'card', components: [{ type: 'card', components: [] }] }, /move it to the top level/],
])('%j', (component, message) => {
  expect(messageOf(component)).toMatch(message)
})

test.each(['jane.doe@example.com', 'sk-live-51H8', '4111 1111 1111 1111'])(
  'a value such as %j is never repeated',
  (value) => {
    const everywhere = [
      { ...dateTime, value },
      { ...link, url: value },
      { ...text, value: [value] },
      { ...text, icon_url: `https://${value}/ /` },
      { ...text, label: { [value]: value } },
    ]
    const verdict = validatePayload({ version: value, header: {}, components: everywhere })
    expect(verdict).toMatchObject({ ok: false, issues: { length: everywhere.length } })
    expect(JSON.stringify(verdict)).not.toContain(value)
  },
)

test('names are shortened and made safe for a terminal', () => {
  const name = `\u001b[31m\u202e${'x'.repeat(1000)}`
  const verdict = validatePayload({
    version: '',
    header: { [name]: 1 },
    components: [{ type: name }],
  })
  expect(verdict.ok ? [] : verdict.issues.map(({ path }) => path)).toEqual([
    `header["\\u001b[31m\\u202e${'x'.repeat(34)}…"]`,
    'components[0].type',
  ])
})
