import type { Command, Option } from 'commander'
import { record, string, text } from '../../internal/read-options.ts'
import { ENDPOINT_KINDS } from '../../service/endpoint-options.ts'
import { listOption, numberOption, option } from '../flags.ts'
import type { CustomerFlag } from './endpoint-flags.ts'

/** The options of a command that calls an endpoint for one customer. */
export interface EndpointFlags {
  readonly header?: readonly string[]
  readonly timeout: number
  readonly param?: readonly string[]
  /** The name of a customer or a state of the project. */
  readonly as?: string
  /** The name of an environment of the app. */
  readonly env?: string
}

/** The options of a command that calls an endpoint for several customers. */
export interface CustomerFlags extends Omit<EndpointFlags, 'param' | 'as'> {
  /** The values of `--param` and `--shows`, in their order. */
  readonly customer?: readonly CustomerFlag[]
}

const PARAM = [
  '--param <name=value>',
  'an ID the endpoint knows, such as account_id=acme; env:NAME as the value, as in a header',
] as const

/** Creates the option that selects an environment of the project's apps. */
export function environmentOption(): Option {
  return option(
    '--env <name>',
    'an environment of the app in sidecard.json, such as production',
    text,
  )
}

/** Adds the options of {@link EndpointFlags} to a command. */
export function addEndpointOptions(command: Command): Command {
  return addHeaderOptions(command)
    .addOption(listOption(...PARAM, string))
    .addOption(
      option(
        '--as <name>',
        'a customer or a state of sidecard.json (default: the first customer)',
        text,
      ),
    )
    .addOption(environmentOption())
}

/** Adds the options of {@link CustomerFlags} to a command, without those for headers. */
export function addCustomerOptions(command: Command): Command {
  const flag = (name: CustomerFlag['flag'], flags: string, description: string) => {
    const created = listOption(flags, description, record, (value): CustomerFlag => ({
      flag: name,
      text: value,
    }))
    // Both options fill one list, because their order says which text belongs to which customer.
    created.attributeName = () => 'customer'
    return created
  }
  return command
    .addOption(flag('param', ...PARAM))
    .addOption(
      flag(
        'shows',
        '--shows <text>',
        'a text that only the sidebar of this customer shows; env:NAME as the value',
      ),
    )
}

/** Adds the options `--header` and `--timeout` to a command. */
export function addHeaderOptions(command: Command): Command {
  return command
    .addOption(
      listOption(
        '-H, --header <name: value>',
        'a custom header; env:NAME as the value reads the environment, .env or .dev.vars',
        string,
      ),
    )
    .addOption(
      numberOption(
        '--timeout <ms>',
        'timeout per response, in milliseconds',
        ENDPOINT_KINDS.timeoutMs,
      ),
    )
}
