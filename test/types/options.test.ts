import { expectTypeOf, test } from 'vitest'
import {
  flag,
  integer,
  milliseconds,
  oneOf,
  readOptions,
  required,
  text,
  withDefault,
} from '../../src/runtime/internal/read-options.ts'

interface Options {
  readonly name: string
  readonly timeoutMs?: number
  readonly mode?: 'a' | 'b' | undefined
  readonly strict?: boolean
}
declare const options: Options

const kinds = {
  name: required(text),
  timeoutMs: withDefault(milliseconds(), 5),
  mode: oneOf('a', 'b'),
  strict: flag,
}

/** Code that the compiler rejects. An unused `@ts-expect-error` is an error. */
function rejected(): void {
  const { strict: _, ...forgotten } = kinds
  // @ts-expect-error the option strict has no kind
  readOptions('f', options, forgotten)
  // @ts-expect-error there is no option retries
  readOptions('f', options, { ...kinds, retries: integer(0, 5) })
  // @ts-expect-error name is a string
  readOptions('f', options, { ...kinds, name: required(flag) })
  // @ts-expect-error a default is a value of its kind
  readOptions('f', options, { ...kinds, timeoutMs: withDefault(milliseconds(), '5s') })
  // @ts-expect-error c is not a mode
  readOptions('f', options, { ...kinds, mode: oneOf('a', 'c') })
}

test('an option is undefined after reading only if it has no default and is not required', () => {
  const read = () => readOptions('f', options, kinds)
  expectTypeOf(read).returns.toEqualTypeOf<{
    readonly name: string
    readonly timeoutMs: number
    readonly mode: 'a' | 'b' | undefined
    readonly strict: boolean | undefined
  }>()
  expectTypeOf(rejected).returns.toBeVoid()
})
