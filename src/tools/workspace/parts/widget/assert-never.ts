/** Makes the compiler report a `switch` that does not cover every member of a union. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value of type ${typeof value}.`)
}
