import type { Component } from './generated/types.ts'
import type { PAYLOAD_OBJECTS, PayloadObject } from './generated/vocabulary.ts'

/**
 * Whether a rendering shows each field of the payload. A rendering does not
 * compile until a new field is listed.
 */
export type ShownFields<Place = true> = {
  readonly [Of in PayloadObject]: {
    readonly [Name in Exclude<keyof (typeof PAYLOAD_OBJECTS)[Of], 'type'>]: Place | false
  }
}

/** A component with the fields that a rendering shows. */
export type Shown<Type extends Component['type'], Fields extends ShownFields<unknown>> = Omit<
  Extract<Component, { type: Type }>,
  HiddenName<Fields[Type]>
>

type HiddenName<Of> = {
  [Name in keyof Of]: Of[Name] extends false ? Name : never
}[keyof Of]
