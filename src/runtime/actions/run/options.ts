import { isSecretSource, type Secret, type SecretBinding } from '../../app/request/secrets.ts'
import {
  flag,
  hasMethods,
  integer,
  isRecord,
  kind,
  type ReadOptions,
  readOptions,
  required,
  withDefault,
} from '../../internal/read-options.ts'
import { isArray, readProperty } from '../../internal/hostile-values.ts'
import { callUserCode } from '../../internal/user-code.ts'
import { isPublicUrl } from '../links/setup.ts'
import { type Action, type ActionDefinition, DEFINITION } from './definition.ts'
import type { SignIn } from '../sign-in/agent.ts'
import { type ActionMessages, readMessages } from '../messages.ts'
import { isReceipts, type Receipts } from '../receipts/receipts.ts'

/** Options of `actions()`. `B` is the type of the bindings. */
export interface ActionsOptions<B> {
  /** The actions of the app. Their names are unique. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each action has its own input
  readonly list: readonly Action<B, any>[]
  /**
   * The URL at which agents' browsers reach the app, such as
   * `https://billing.example.com/sidebar`. The page is at `/actions` below it. On
   * loopback, the default is the URL of the request.
   */
  readonly publicUrl?:
    | string
    | ((env: B) => string | undefined | PromiseLike<string | undefined>)
    | undefined
  /**
   * Encrypts the links: at least 32 characters. It accepts the same
   * forms as `secretHeader()`, and must differ from the secret of the service's header.
   */
  readonly secret: Secret | SecretBinding | ((env: B) => Secret | PromiseLike<Secret>)
  /**
   * Identifies the agent who opened the page: `openIdConnect()`,
   * `cloudflareAccess()`, `signedHeader()`, `trustedHeader()`, `anyAgent()` or your
   * own.
   */
  readonly signIn: SignIn
  /**
   * Stores the confirmations: what was confirmed, by whom, and the outcome. A
   * function of the bindings is called once per environment.
   */
  readonly receipts: Receipts | ((env: B) => Receipts | PromiseLike<Receipts>)
  /**
   * Encrypts the input, the values and the result in receipts, in one of the forms
   * of `secret`. With a separate secret, receipts stay readable when `secret` is
   * replaced. @default `secret`
   */
  readonly receiptSecret?: Secret | SecretBinding | ((env: B) => Secret | PromiseLike<Secret>)
  /** How long receipts are kept, in days, from 2 to 3,650. @default 30 */
  readonly keepDays?: number | undefined
  /** Whether an action only runs after its audit record was written. @default false */
  readonly requireAudit?: boolean | undefined
  /** How long a link is valid, in seconds, from 60 to 86,400. @default 3600 */
  readonly expiresSeconds?: number | undefined
  /** The texts of the page, to replace or translate. @default English */
  readonly messages?: Partial<ActionMessages> | undefined
  /** The time zone for times on the page, as an IANA name. @default 'UTC' */
  readonly timeZone?: string | undefined
}

const LIST = kind<ActionsOptions<unknown>['list']>(
  'an array of actions with different names, created by action()',
  (value) =>
    isArray(value) &&
    value.length > 0 &&
    value.every((item) => isRecord(item) && hasMethods(item, 'button')) &&
    new Set(value.map((item) => readProperty(item, 'name'))).size === value.length,
)

const PUBLIC_URL = kind<string>(
  'an http or https URL without a query, or a function of the bindings',
  (value) => typeof value === 'function' || isPublicUrl(value),
)

const SECRET = kind(
  "a secret of at least 32 characters (openssl rand -hex 32), an array of them, a function of the bindings, or { binding: 'SIDECARD_ACTION_SECRET' }",
  isSecretSource,
)

const RECEIPTS = kind(
  'receipts, such as memoryReceipts(), or a function of the bindings',
  (value) => typeof value === 'function' || isReceipts(value),
)

const SIGN_IN = kind(
  "openIdConnect(…), cloudflareAccess(…), trustedHeader('x-auth-request-email'), anyAgent() or your own function",
  (value) => typeof value === 'function',
)

const TIME_ZONE = kind<string>(
  'an IANA time zone, such as Europe/Berlin',
  (timeZone) =>
    typeof timeZone === 'string' &&
    callUserCode(() => new Intl.DateTimeFormat('en', { timeZone })) !== undefined,
)

const KINDS = {
  list: required(LIST),
  publicUrl: PUBLIC_URL,
  secret: required(SECRET),
  signIn: required(SIGN_IN),
  receipts: required(RECEIPTS),
  receiptSecret: SECRET,
  keepDays: withDefault(integer(2, 3_650, ' (days)'), 30),
  requireAudit: withDefault(flag, false),
  expiresSeconds: withDefault(integer(60, 86_400, ' (seconds)'), 3_600),
  messages: withDefault(kind<Partial<ActionMessages>>('an object', isRecord), {}),
  timeZone: withDefault(TIME_ZONE, 'UTC'),
}

/** {@link ActionsOptions} with the defaults applied. Inside, the bindings are not typed. */
export interface ResolvedActions extends Omit<
  ReadOptions<ActionsOptions<unknown>, typeof KINDS>,
  'list' | 'messages'
> {
  readonly definitions: ReadonlyMap<string, ActionDefinition>
  readonly messages: ActionMessages
}

/** @throws {SidecardError} `invalid_options` with the option and what is expected */
export function resolveActions(options: ActionsOptions<never>): ResolvedActions {
  const given = options as ActionsOptions<unknown>
  const { list, messages, ...read } = readOptions('actions', given, KINDS)
  const definitions = new Map(list.map((action) => [action.name, action[DEFINITION]]))
  return { ...read, definitions, messages: readMessages(messages) }
}
