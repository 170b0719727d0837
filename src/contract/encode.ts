import { writeCardChild, writeComponent, writePayload } from './generated/encode.ts'
import { reportNotObject, reportUnreadable } from './report.ts'
import { type EncodeResult, Validation, type ValidateOptions } from './validation.ts'
import { entriesJson, isObject } from './write-values.ts'

/**
 * Validates a payload and writes its JSON in one pass. Never throws.
 *
 * @internal
 */
export function encodePayload(value: unknown, options?: ValidateOptions): EncodeResult {
  return run(options, (validation) =>
    isObject(value)
      ? writePayload(value, validation)
      : reportNotObject(validation, 'payload', value),
  )
}

/**
 * Validates the components of a payload or of a card, and writes them as the
 * entries of a JSON array, without its brackets. Never throws.
 *
 * @internal
 */
export function encodeComponents(
  components: readonly unknown[],
  place: 'payload' | 'card',
  options?: ValidateOptions,
): EncodeResult {
  const write = place === 'card' ? writeCardChild : writeComponent
  return run(options, (validation) => entriesJson(validation, 'components', components, write))
}

function run(
  options: ValidateOptions | undefined,
  write: (validation: Validation) => string,
): EncodeResult {
  const validation = new Validation(options)
  let json = ''
  try {
    json = write(validation)
  } catch {
    reportUnreadable(validation)
  }
  const { issues, omittedCount, componentCount } = validation
  return issues.length === 0
    ? { ok: true, json, componentCount }
    : { ok: false, issues, omittedCount }
}
