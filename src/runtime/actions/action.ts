import type { DefaultBindings } from '../app/request/bindings.ts'
import type { Button } from '../contract/generated/types.ts'
import { SidecardError } from '../internal/errors.ts'
import { readProperty } from '../internal/hostile-values.ts'
import {
  flag,
  func,
  kind,
  milliseconds,
  readOptions,
  required,
  text,
  withDefault,
} from '../internal/read-options.ts'
import type { InferInput, StandardIssue, StandardSchema } from '../internal/standard-schema.ts'
import { callUserCode, consumeRejections } from '../internal/user-code.ts'
import { type Form, isForm } from './fields/fields.ts'
import { ACTION, ACTION_SCHEME, type ButtonTarget } from './links/buttons.ts'
import {
  type Action,
  type ActionOptions,
  type AnyActionOptions,
  DEFINITION,
} from './run/definition.ts'
import { describeInputIssue } from './run/authorized-request.ts'

/**
 * Creates an action: a button that opens a page of the same app. The page says
 * what will happen, asks for missing values, and runs the action once, when the
 * agent confirms. The first, empty call takes the type of the bindings, as in
 * `sidecard<Env>()`.
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md
 * @example
 * export const extendTrial = action<Env>()({
 *   name: 'extend-trial',
 *   label: 'Extend trial',
 *   input: z.object({ accountId: z.string() }),
 *   form: { days: numberField({ label: 'Days', min: 1, max: 30, value: 14 }) },
 *   show: async (ctx, { accountId }) => text({ label: 'Account', value: accountId }),
 *   run: (ctx, { accountId }, { days }) => extend(ctx.env, accountId, days),
 * })
 */
export function action<T = DefaultBindings>() {
  return <S extends StandardSchema, const F extends Form = {}>(
    options: ActionOptions<T, S, F>,
  ): Action<T, InferInput<S>> => createAction(options as never) as never
}

const NAME = kind<string>(
  "at most 40 lowercase letters, digits and hyphens, such as 'extend-trial'",
  (value) => typeof value === 'string' && /^[a-z][a-z0-9-]{0,39}$/.test(value),
)
// The schemas of arktype are functions.
const SCHEMA = kind<StandardSchema>(
  'a Standard Schema, such as z.object({ … })',
  (value) => readProperty(value, '~standard') !== undefined,
)
const FORM = kind(
  'an object of fields, such as { days: numberField({ … }) }, or a function that returns one',
  (value) => typeof value === 'function' || isForm(value),
)

/**
 * The maximum timeout, because Workers end 30 seconds after the response, and a
 * graceful stop takes at most 25.
 */
const MAX_TIMEOUT_MS = 20_000

const KINDS = {
  name: required(NAME),
  label: required(text),
  input: required(SCHEMA),
  form: withDefault(FORM, {}),
  show: required(func),
  run: required(func),
  uniqueKey: func,
  alsoInvalidates: func,
  authorize: func,
  summary: func,
  lookUp: func,
  canSetOutcome: func,
  audit: func,
  review: flag,
  timeoutMs: withDefault(milliseconds(1, MAX_TIMEOUT_MS), 15_000),
  lateMs: withDefault(milliseconds(0, 86_400_000), 60_000),
}

function createAction(options: AnyActionOptions): Action<never, never> {
  const read = readOptions('action', options, KINDS)
  const { name, label } = read
  return {
    name,
    label,
    button: (input, buttonOptions = {}) => {
      const shown = readOptions('button', buttonOptions, { label: text }).label ?? label
      const target: ButtonTarget = Object.freeze({
        name,
        input: readInput(name, read.input, input),
      })
      const url = ACTION_SCHEME + name
      const button: Button = { type: 'button', label: shown, button_type: 'link', url }
      return Object.assign(button, { [ACTION]: target })
    },
    [DEFINITION]: { ...read, options },
  }
}

/** Returns the JSON of an input. A schema that returns a promise is only used on the page. */
function readInput(name: string, { '~standard': schema }: StandardSchema, input: unknown): string {
  const json = callUserCode(() => JSON.stringify(input) as string | undefined)
  const result = json === undefined ? undefined : schema.validate(JSON.parse(json))
  consumeRejections(result)
  const issues = readProperty(result, 'issues') as readonly StandardIssue[] | undefined
  if (json !== undefined && issues === undefined) return json
  consumeRejections(input)
  const problem = json === undefined ? 'is not JSON' : describeInputIssue(issues?.[0])
  throw new SidecardError('invalid_options', `${name}.button: the input ${problem}.`)
}
