import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  badge,
  button,
  card,
  dateTime,
  InvalidComponentError,
  link,
  payload,
  text,
  validatePayload,
} from 'sidecard'
import { nearPayload } from '../helpers/payload-arbitraries.ts'

const builders: Readonly<Record<string, (fields: never) => object>> = {
  text,
  date_time: dateTime,
  badge,
  button,
  link,
  card,
}

interface Typed {
  readonly type: string
}

/** The objects with a known `type` anywhere in a value. */
function componentsIn(value: unknown): Typed[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(componentsIn)
  const isKnown = 'type' in value && typeof value.type === 'string' && value.type in builders
  return isKnown ? [value as Typed, ...inside] : inside
}

function isValid(...components: unknown[]): boolean {
  return validatePayload({ version: '1.0.0', header: {}, components }).ok
}

/** What a builder made, or `undefined` when it refused as it should. */
function made(build: () => object): object | undefined {
  try {
    return build()
  } catch (error) {
    if (error instanceof InvalidComponentError) return undefined
    throw error
  }
}

test('a builder makes only what is valid, and refuses only what is not', () => {
  fc.assert(
    fc.property(nearPayload, (value) => {
      for (const component of componentsIn(value)) {
        const { type, ...fields } = component
        const result = made(() => builders[type]?.(fields as never) ?? {})
        // Children of a card are judged by their own builders and at the end; a card drops absent ones.
        if (type === 'card') continue
        // A button's type may be left out here, not on the wire.
        const onWire =
          type === 'button' && (component as { button_type?: unknown }).button_type === undefined
            ? { ...component, button_type: 'link' }
            : component
        expect(result !== undefined).toBe(isValid(onWire))
        expect(result === undefined || isValid(result)).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a card or payload of what builders made is valid', () => {
  fc.assert(
    fc.property(nearPayload, (value) => {
      const children = componentsIn(value)
        .filter(({ type }) => type !== 'card')
        .map(({ type, ...fields }) => made(() => builders[type]?.(fields as never) ?? {}))
      const whole = payload({
        header: { title: 'Billing' },
        components: [card({ components: children as never }), ...(children as never[])],
      })
      expect(validatePayload(whole)).toEqual({ ok: true, payload: whole })
    }),
    { numRuns: 1000 },
  )
})
