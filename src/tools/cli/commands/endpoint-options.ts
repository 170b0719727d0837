import type { Option } from 'commander'
import { record, string, text } from '../../../runtime/internal/read-options.ts'
import { ENDPOINT_KINDS } from '../../service/endpoint/endpoint-options.ts'
import { listOption, option } from '../flags.ts'
import type { CustomerFlag } from '../endpoint-flags.ts'

/** The options of a command that calls an endpoint for several customers. */
export interface CustomerFlags {
  readonly header?: readonly string[]
  readonly timeout: number
  /** The values of `--param` and `--shows`, in their order. */
  readonly customer?: readonly CustomerFlag[]
  /** The name of an environment of the app. */
  readonly env?: string
}

/** The options of a command that calls an endpoint for one customer. */
export interface EndpointFlags extends CustomerFlags {
  /** The name of a customer or a state of the project. */
  readonly as?: string
}

/**
 * Creates `--param` or `--shows`. Both fill one list, because their order says
 * which text belongs to which customer.
 */
export function customerOption(
  flag: CustomerFlag['flag'],
  flags: string,
  description: string,
): Option {
  const created = listOption(flags, description, record, (value) => ({ flag, text: value }))
  created.attributeName = () => 'customer'
  return created
}

const PARAM = [
  '--param <name=value>',
  'an ID the endpoint knows, such as account_id=acme; env:NAME as the value, as in a header',
] as const

/** The options `--header` and `--timeout`. */
export const HEADER_OPTIONS: readonly Option[] = [
  listOption(
    '-H, --header <name: value>',
    'a custom header; env:NAME as the value reads the environment, .env or .dev.vars',
    string,
  ),
  option('--timeout <ms>', 'timeout per response, in milliseconds', ENDPOINT_KINDS.timeoutMs),
]

/** The option that selects an environment of the project's apps. */
export const ENVIRONMENT_OPTION = option(
  '--env <name>',
  'an environment of the app in sidecard.json, such as production',
  text,
)

/** The options of {@link EndpointFlags}. */
export const ENDPOINT_OPTIONS: readonly Option[] = [
  ...HEADER_OPTIONS,
  customerOption('param', ...PARAM),
  option(
    '--as <name>',
    'a customer or a state of sidecard.json (default: the first customer)',
    text,
  ),
  ENVIRONMENT_OPTION,
]

/** The option for what the sidebar of an unknown customer shows. */
export const UNKNOWN_OPTION = listOption(
  '--unknown-shows <text>',
  'a text that only the sidebar of an unknown customer shows, such as No subscription',
  text,
)

/** The options of {@link CustomerFlags}, without those for headers. */
export const CUSTOMER_OPTIONS: readonly Option[] = [
  customerOption('param', ...PARAM),
  customerOption(
    'shows',
    '--shows <text>',
    'a text that only the sidebar of this customer shows; env:NAME as the value',
  ),
]
