/** A value that was truncated with an ellipsis. */
export interface Truncation {
  /** The path of the value, such as `components[0].components[1].value`. */
  readonly path: string
  readonly kind: 'label' | 'text' | 'badge'
}
