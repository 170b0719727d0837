import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Payload, validatePayload } from 'sidecard/schema'
import { type ShapeOptions, toShape } from '../../../src/tools/service/responses/shape.ts'
import { cpuMs } from '../../helpers/cpu-ms.ts'
import { validPayload } from '../../helpers/payload-arbitraries.ts'

const text = (label: string, value: string) => ({ type: 'text', label, value }) as const

function payloadOf(...components: readonly object[]) {
  return { version: '1.0.0', header: { title: 'Kundendaten' }, components }
}

const shapeOf = (body: unknown, options?: ShapeOptions) => toShape({ params: {}, body }, options)
const valueOf = (value: unknown, options?: ShapeOptions) =>
  (shapeOf({ value }, options).body as { value: unknown }).value

test('a name, a number and an address in any language and format are replaced', () => {
  const personal = [
    'Jürgen Müller',
    '(415) 555-2671',
    '030 1234567',
    '4111 1111 1111 1111',
    '078-05-1120',
    'Marie Dupont, 14 rue des Lilas',
    '田中 太郎',
    'محمد',
    '٠٣٠ ١٢٣٤٥٦٧',
    'https://crm.example.org/jürgen',
    'juergen@müller.example',
  ]
  const body = payloadOf(
    ...personal.map((value, index) => text(`Feld ${'ABCDEFGHIJK'[index]}`, value)),
    { type: 'link', label: 'Mail', url: 'mailto:juergen@mueller.example?subject=M%C3%BCller' },
    { type: 'link', label: 'Phone', url: 'tel:+49-30-1234567' },
    { type: 'date_time', label: 'Since', value: '1984-05-06T07:08:09+02:00' },
    { type: 'badge', label: 'Status', items: [{ value: 'Gekündigt', color: 'red' }] },
    { type: 'card', header: { title: 'Firma Müller' }, components: [text('Inhaber', 'J. Müller')] },
  )
  const { body: shaped, kept, replaced } = shapeOf(body)
  expect(validatePayload(shaped)).toMatchObject({ ok: true })
  const written = JSON.stringify(shaped)
  const pieces = [...personal, 'Kundendaten', 'Gekündigt', 'Firma', 'Müller', 'juergen', '1984']
  for (const piece of pieces) expect(written).not.toContain(piece)
  for (const piece of ['1234567', '2671', '4111', '1120', '05-06', '+02:00']) {
    expect(written).not.toContain(piece)
  }
  expect(kept).toEqual(
    expect.arrayContaining(['Feld A', 'Mail', 'Phone', 'Since', 'Status', 'Inhaber']),
  )
  expect(replaced).toBe(17)
})

test.each([
  ['text', 'Jane', 'Text 1'],
  ['text of several lines', 'Jane\nDoe', 'Text 1'],
  ['email', 'Jane@Acme.io', 'person1@example.com'],
  ['mail link', 'mailto:jane@acme.io', 'mailto:person1@example.com'],
  ['phone link', 'tel:+1-415-555-2671', 'tel:+15550001'],
  ['URL', 'https://acme.io/jane?x=1#y', 'https://example.com/1'],
  ['URL of another scheme', 'slack://jane', 'https://example.com/1'],
  ['amount', '€1.234,50', '€0.000,01'],
  ['phone number', '(415) 555-2671', '(000) 000-0001'],
  ['digit', '7', '1'],
  ['digit that is the placeholder of another', '1', '2'],
  ['amount with a currency in letters', '12.00 EUR', 'Text 1'],
])('a %s gets one of the same form', (_form, value, expected) => {
  expect(valueOf(value)).toBe(expected)
})

test.each([[''], ['  \n'], [true], [null], [42], [-1.5]])('%j stays', (value) => {
  expect(valueOf(value)).toBe(value)
})

test('the same text gets the same placeholder, in the IDs as well', () => {
  const params = {
    account_id: 'acme',
    requester_id: 'u_77',
    requester_email: 'eve@acme.io',
    app_id: '',
  }
  const body = payloadOf(
    text('A', 'acme'),
    text('B', 'eve@acme.io'),
    text('C', 'acme'),
    text('D', 'x'),
  )
  const shaped = toShape({ params, body })
  expect(shaped.params).toEqual({
    app_id: '',
    account_id: 'account_1',
    requester_id: 'requester_1',
    requester_email: 'person1@example.com',
  })
  const { components } = shaped.body as { components: Array<{ value: string }> }
  expect(components.map(({ value }) => value)).toEqual([
    'account_1',
    'person1@example.com',
    'account_1',
    'Text 2',
  ])
})

describe('a date-time', () => {
  const moved = (...values: readonly string[]) => shapeOf({ components: values }).body

  test('moves by one constant with all others', () => {
    expect(moved('2026-03-02T09:00:00Z', '2026-03-01T10:00:00.5+01:00')).toEqual({
      components: ['2020-01-01T23:59:59.500Z', '2020-01-01T00:00:00.000Z'],
    })
  })

  test.each([
    ['2020-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z'],
    ['2016-12-31t23:59:59z'],
    ['0000-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z'],
  ])('is a valid one, and not the same: %s', (value) => {
    const payload = payloadOf(
      { type: 'date_time', label: 'L', value },
      { type: 'date_time', label: 'M', value: '1970-01-01T00:00:00Z' },
    )
    const { body } = shapeOf(payload)
    expect(validatePayload(body)).toMatchObject({ ok: true })
    expect(JSON.stringify(body)).not.toContain(value)
  })
})

describe('a label', () => {
  const one = payloadOf(text('Plan', 'Pro'), text('Jane Doe', '3 open'))
  const labelsOf = (others?: readonly unknown[], params = {}) => {
    const { body, kept } = toShape({ params, body: one }, { ...(others && { others }) })
    const { components } = body as { components: Array<{ label: string }> }
    return { labels: components.map(({ label }) => label), kept }
  }

  test('stays if only one customer was recorded, and is listed first if it looks like a name', () => {
    expect(labelsOf()).toEqual({ labels: ['Plan', 'Jane Doe'], kept: ['Jane Doe', 'Plan'] })
  })

  test.each(['Order 4711', 'Mail of eve@acme', 'Note for Eve Smith'])(
    'is replaced if only one customer was recorded, and it says something about them: %s',
    (label) => {
      const body = payloadOf(text(label, 'Pro'), text('Name', 'Eve Smith'))
      expect(shapeOf(body).kept).toEqual(['Name'])
      expect(toShape({ params: {}, body }, { others: [body] }).kept).toContain(label)
    },
  )

  test('stays only if every other customer has it as a label', () => {
    const other = payloadOf(text('Plan', 'Jane Doe'), text('John Roe', '4 open'))
    expect(labelsOf([other])).toEqual({ labels: ['Plan', 'Text 3'], kept: ['Plan'] })
    expect(labelsOf([one, other, payloadOf()]).kept).toEqual([])
  })

  test('is replaced if it has an ID of the request, or looks like an address or a number', () => {
    expect(labelsOf([], { account_id: 'Plan' }).labels).toEqual(['account_1', 'Jane Doe'])
    for (const label of ['eve@acme.io', 'https://acme.io', '030 1234567']) {
      expect(shapeOf(payloadOf(text(label, 'x'))).kept).toEqual([])
    }
  })
})

test('texts of keep stay in any letter case, and are listed', () => {
  const { body, kept } = toShape(
    { params: { account_id: 'acme' }, body: payloadOf(text('Plan', 'PRO'), text('Plan', 'acme')) },
    { keep: ['pro', 'Acme', 'unused'], others: [payloadOf()] },
  )
  expect(body).toMatchObject({ components: [{ value: 'PRO' }, { value: 'acme' }] })
  expect(kept).toEqual(['acme', 'PRO'])
})

test('values of closed lists stay only where they belong', () => {
  const body = { type: 'badge', color: 'red', version: '1.0.0', button_type: 'link', value: 'red' }
  expect(shapeOf(body).body).toEqual({ ...body, value: 'Text 1' })
  expect(shapeOf({ type: 'Jane', color: 'Jane', version: '2' }).body).toEqual({
    type: 'Text 1',
    color: 'Text 1',
    version: '1',
  })
})

test('keys that the contract does not have are replaced, and long numbers are listed', () => {
  const { body, kept } = shapeOf({
    jane: 1,
    header: { 'eve@acme.io': 4_155_552_671 },
    value: ['a'],
  })
  expect(body).toEqual({ field_1: 1, header: { field_2: 4_155_552_671 }, value: ['Text 1'] })
  expect(kept).toEqual(['4155552671'])
})

test('secrets and tokens of action links are removed first, from labels as well', () => {
  const redact = (value: string) => value.replaceAll('s3cret', '[hidden]')
  const url = 'https://a.example/actions?t=eyJhbGciOiJkaXIifQ..a.b.c'
  const { body } = shapeOf(
    payloadOf(text('Key s3cret', 'x'), { type: 'button', label: 'Go', url }),
    { redact },
  )
  expect(JSON.stringify(body)).not.toMatch(/s3cret|eyJ/)
  expect(body).toMatchObject({
    components: [{ label: 'Key [hidden]' }, { url: 'https://example.com/1' }],
  })
})

/** Replaces the labels of a payload, so that none is kept. */
const OTHER = payloadOf()

test('nothing of any payload survives, and it stays valid', () => {
  const inWords = (value: unknown): readonly string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(inWords)
        : []
  fc.assert(
    fc.property(validPayload, (generated) => {
      const payload = generated as Payload
      const shaped = shapeOf(payload, { others: [OTHER] })
      const { version: _version, ...body } = shaped.body as Payload
      const { version: _own, ...given } = payload
      expect(validatePayload(shaped.body)).toMatchObject({ ok: true })
      expect(shaped.kept).toEqual([])
      const closed = new Set(['card', 'text', 'date_time', 'badge', 'button', 'link', 'divider'])
      for (const color of ['blue', 'green', 'red', 'orange', 'gray']) closed.add(color)
      const written = new Set(inWords(body))
      const survivors = inWords(given).filter(
        (each) => each.trim() !== '' && !closed.has(each) && written.has(each),
      )
      expect(survivors).toEqual([])
    }),
  )
})

test('no part of a text of letters survives', () => {
  const word = fc.stringMatching(/^[\u00C0-\u024F\u0400-\u04FF\u4E00-\u9FFF]{3,30}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      const body = payloadOf(...words.map((value) => text(value, `${value} 12 ${value}`)))
      const written = JSON.stringify(shapeOf(body, { others: [OTHER] }).body)
      for (const each of words) expect(written).not.toContain(each)
    }),
  )
})

test('a response of a megabyte takes less than a second', () => {
  const body = payloadOf(
    ...Array.from({ length: 20_000 }, (_, index) =>
      text(`L${index}`, `Value ${index} of a customer`),
    ),
  )
  const since = process.cpuUsage()
  shapeOf(body, { others: [body] })
  expect(cpuMs(since)).toBeLessThan(1_000)
})
