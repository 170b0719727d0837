/**
 * The kind of a field. `type` is the name of the component's object, `enum` is a
 * closed list of strings, `words` an array of strings, and `array` an array of
 * objects.
 */
export type FieldKind =
  | 'type'
  | 'string'
  | 'number'
  | 'boolean'
  | 'link'
  | 'icon'
  | 'date_time'
  | 'enum'
  | 'words'
  | 'object'
  | 'array'

/** A field of an object. */
export interface FieldSpec {
  readonly kind: FieldKind
  readonly required: boolean
  /** The allowed values of the kind `enum`, and of `words` with a closed list. */
  readonly values?: readonly string[]
  /** The object in the field, for the kind `object`. */
  readonly object?: string
  /** The objects in the array, for the kind `array`. */
  readonly items?: string
}
