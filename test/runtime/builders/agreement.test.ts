import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  badge,
  button,
  card,
  type Component,
  dateTime,
  divider,
  InvalidComponentError,
  link,
  payload,
  text,
  validatePayload,
} from 'sidecard'
import { nearPayload } from '../../helpers/payload-arbitraries.ts'

const BUILDERS = {
  card,
  text,
  date_time: dateTime,
  badge,
  button,
  link,
  divider,
} satisfies Record<Component['type'], (fields: never) => object>

// A divider takes no fields.
const { divider: _, ...others } = BUILDERS
const builders: Readonly<Record<string, (fields: never) => object>> = others

interface Typed {
  readonly type: string
}

/** Returns the objects with a known `type` anywhere in a value. */
function componentsIn(value: unknown): Typed[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(componentsIn)
  const isKnown = 'type' in value && typeof value.type === 'string' && value.type in builders
  return isKnown ? [value as Typed, ...inside] : inside
}

function isValid(...components: unknown[]): boolean {
  return validatePayload({ version: '1.0.0', header: {}, components }, { uriSchemes: 'any' }).ok
}

/** Returns the result of a builder, or `undefined` if it threw an `InvalidComponentError`. */
function made(build: () => object): object | undefined {
  try {
    return build()
  } catch (error) {
    if (error instanceof InvalidComponentError) return undefined
    throw error
  }
}

test('accepts exactly the fields that the contract allows', () => {
  fc.assert(
    fc.property(nearPayload, (value) => {
      for (const component of componentsIn(value)) {
        const { type, ...fields } = component
        const result = made(() => builders[type]?.(fields as never) ?? {})
        // The components of a card are validated by their own builders and at the end.
        if (type === 'card') continue
        // `button_type` is optional in the builder and required in the payload.
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
}, 30_000)

test('creates valid cards and payloads from components of builders', () => {
  fc.assert(
    fc.property(nearPayload, (value) => {
      const children = componentsIn(value)
        .filter(({ type }) => type !== 'card')
        .map(({ type, ...fields }) => made(() => builders[type]?.(fields as never) ?? {}))
      const whole = payload({
        header: { title: 'Billing' },
        components: [card({ components: children as never }), ...(children as never[])],
      })
      expect(validatePayload(whole, { uriSchemes: 'any' })).toEqual({ ok: true, payload: whole })
    }),
    { numRuns: 1000 },
  )
}, 30_000)
