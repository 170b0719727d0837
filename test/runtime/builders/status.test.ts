import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { badge, status, validatePayload } from 'sidecard'

describe('status()', () => {
  const colors = { active: 'green', past_due: 'orange' } as const

  test('colors a status by the table', () => {
    expect(status('active', colors)).toEqual({ value: 'active', color: 'green' })
    expect(status<string>('past_due', colors)).toEqual({ value: 'past_due', color: 'orange' })
  })

  test('shows a status outside the table in gray', () => {
    expect(status<string>('trialing', colors)).toEqual({ value: 'trialing', color: 'gray' })
    expect(status<string>('Active', colors)).toEqual({ value: 'Active', color: 'gray' })
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'shows %s in gray, although every object inherits the name',
    (name) => {
      expect(status<string>(name, colors)).toEqual({ value: name, color: 'gray' })
    },
  )

  test.each([null, undefined, '', '  '])('shows %j as unknown', (value) => {
    expect(status<string>(value, { '': 'red' })).toEqual({ value: 'Unknown', color: 'gray' })
  })

  test('rejects values other than text', () => {
    expect(() => status(7 as never, {})).toThrow('status(): value')
    expect(() => status({} as never, {})).toThrow('expected text')
    expect(() => status('active', null as never)).toThrow(
      'status(): colors: must be an object, got null.',
    )
  })

  test('creates a valid badge item from any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const components = [badge({ label: 'Status', items: [status<string>(text, colors)] })]
        expect(validatePayload({ version: '1.0.0', header: {}, components }).ok).toBe(true)
      }),
    )
  })
})
