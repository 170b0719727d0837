import { effectSchema, type FaultEffect } from './rules.ts'

/**
 * A request header that injects a fault into this request:
 * `delay=1500`, `status=503`, `status=429; retry-after=2`, `reset`, `cut_off`,
 * `schema_drift` or `bad_pagination=repeat|missing|empty`.
 */
export const FAULT_HEADER = 'x-sidecard-emulator-fault'

/** The field of an effect that the header sets, for the effects with one. */
const FIELDS: Readonly<Record<string, string>> = {
  delay: 'delayMs',
  status: 'status',
  bad_pagination: 'kind',
}

/** Parses the header. Returns `undefined` if the value is invalid. */
export function parseRequestFault(value: string): FaultEffect | undefined {
  const [head = '', option = ''] = value.split(';').map((part) => part.trim())
  const [type = '', argument = ''] = head.split('=').map((part) => part.trim())
  const field = FIELDS[type]
  const number = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : text)
  const retryAfter = /^retry-after=(\d{1,5})$/.exec(option)?.[1]
  const parsed = effectSchema.safeParse({
    type,
    ...(field !== undefined && { [field]: number(argument) }),
    ...(type === 'status' && retryAfter !== undefined && { retryAfterSeconds: number(retryAfter) }),
  })
  return parsed.data
}
