import { FAULT_PRESETS } from './presets.ts'
import type { FaultEffect } from './rules.ts'

/**
 * A request header that injects a fault into this request:
 * `delay=1500`, `status=503`, `status=429; retry-after=2`, `reset`, `cut_off`,
 * `schema_drift`, `bad_pagination=repeat|missing|empty`, or the name of a preset.
 */
export const FAULT_HEADER = 'x-sidecard-emulator-fault'

/** Parses the header. Returns `undefined` if the value is invalid. */
export function parseRequestFault(value: string): FaultEffect | undefined {
  const [head = '', option = ''] = value.split(';').map((part) => part.trim())
  const [name, argument = ''] = head.split('=').map((part) => part.trim())
  const amount = /^\d{1,6}$/.test(argument) ? Number(argument) : undefined
  switch (name) {
    case 'delay':
      return amount === undefined || amount > 60_000
        ? undefined
        : { type: 'delay', delayMs: amount }
    case 'status':
      return amount === undefined ? undefined : statusEffect(amount, option)
    case 'bad_pagination':
      return argument === 'repeat' || argument === 'missing' || argument === 'empty'
        ? { type: name, kind: argument }
        : undefined
    case 'reset':
    case 'cut_off':
    case 'schema_drift':
      return { type: name }
    default:
      return FAULT_PRESETS.find(({ id }) => id === name)?.rules.find(({ side }) => side === 'api')
        ?.effect
  }
}

function statusEffect(status: number, option: string): FaultEffect | undefined {
  if (status < 400 || status > 599) return undefined
  const retryAfter = /^retry-after=(\d{1,5})$/.exec(option)?.[1]
  return {
    type: 'status',
    status,
    ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
  }
}
