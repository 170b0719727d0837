import { downloadText } from '../core/download.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'
import type { Recording } from '../../service/recording.ts'
import { RECORDING_FORMAT } from '../../service/recording.ts'

/** Downloads a payload as a recording for `replay()` and `sidecard render`. */
export function downloadFixture(text: string): void {
  const body: unknown = JSON.parse(normalizeActionLinks(text))
  const recording: Recording = {
    recording: RECORDING_FORMAT,
    request: { params: {}, headerNames: [] },
    response: { status: 200, contentType: 'application/json', body },
  }
  downloadText(`${fileName(body)}.json`, `${JSON.stringify(recording, null, 2)}\n`)
}

/** Returns a file name based on the title of the payload. */
function fileName(body: unknown): string {
  const title = (body as { readonly header?: { readonly title?: unknown } } | null)?.header?.title
  const slug = (typeof title === 'string' ? title : '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
  return slug || 'payload'
}
