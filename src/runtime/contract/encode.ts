import { copyEntries, isObject } from './copy-values.ts'
import { copyCardChild, copyComponent, copyPayload } from './generated/copy.ts'
import { reportNotObject, reportUnreadable } from './report.ts'
import { type EncodeResult, Validation, type ValidateOptions } from './validation.ts'

/**
 * Validates a payload and writes its JSON. Never throws.
 *
 * @internal
 */
export function encodePayload(value: unknown, options?: ValidateOptions): EncodeResult {
  return run(options, (validation) =>
    isObject(value)
      ? copyPayload(value, validation)
      : reportNotObject(validation, 'payload', value),
  )
}

/**
 * Validates the components of a payload or of a card, and writes them as a JSON
 * array. Never throws.
 *
 * @internal
 */
export function encodeComponents(
  components: readonly unknown[],
  place: 'payload' | 'card',
  options?: ValidateOptions,
): EncodeResult {
  const copy = place === 'card' ? copyCardChild : copyComponent
  return run(options, (validation) =>
    copyEntries<unknown>(validation, 'components', components, copy),
  )
}

function run(
  options: ValidateOptions | undefined,
  copy: (validation: Validation) => unknown,
): EncodeResult {
  const validation = new Validation(options)
  let json = ''
  try {
    const copied = copy(validation)
    if (validation.issueCount === 0) json = JSON.stringify(copied)
  } catch {
    reportUnreadable(validation)
  }
  const { issues, omittedCount, componentCount } = validation
  return validation.issueCount === 0
    ? { ok: true, json, componentCount }
    : { ok: false, issues, omittedCount }
}
