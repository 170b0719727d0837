import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { DEV_HEADER, PROJECT_HEADER } from '../../../runtime/internal/headers.ts'
import { randomCode } from '../../service/endpoint/codes.ts'
import { mediaType } from '../../service/endpoint/media-type.ts'
import { verifyQuery, withQuery } from '../../service/endpoint/query.ts'
import type { CliContext } from '../io.ts'
import { nameOfProject } from '../read-manifest.ts'
import { capitalize } from '../../internal/capitalize.ts'
import { decodePercent } from '../../internal/decode-percent.ts'
import { quote } from '../../internal/escape-for-display.ts'
import { WrongServerError } from '../../service/endpoint/transport-failure.ts'
import { createTransport } from '../transport/transport.ts'
import { portOf } from './listening.ts'

const TIMEOUT_MS = 2_000

/** Identifies a project by its name and a hash of its folder, because projects share ports. */
export function identifyProject(folder: string): string {
  const hash = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 12)
  return `${encodeURIComponent(nameOfProject(folder))}.${hash}`
}

/**
 * Says which other program uses the port of an app: the server of a different project, or a
 * program that answers a handshake with a page. It does not receive the project's secret, so an
 * app may reject the request, and many frameworks do so with a page.
 *
 * @returns `undefined` if the server may be the one of the project
 */
export async function findOtherOwner(
  url: URL,
  io: Pick<CliContext, 'cwd' | 'env'>,
): Promise<string | undefined> {
  const headers = { [DEV_HEADER]: '1' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const init: RequestInit = { headers, signal, redirect: 'manual' }
  const request = new Request(withQuery(url, verifyQuery(randomCode())), init)
  try {
    const response = await createOwnTransport(io)(request)
    await response.body?.cancel()
    const type = mediaType(response.headers.get('content-type') ?? undefined)
    return response.ok && type === 'text/html'
      ? `Another program, which sends ${type}, uses port ${portOf(url)}`
      : undefined
  } catch (error) {
    return error instanceof WrongServerError ? capitalize(error.message) : undefined
  }
}

/** Sends requests to the server of a project. A different project may take its port at any time. */
export function createOwnTransport({ cwd, env }: Pick<CliContext, 'cwd' | 'env'>) {
  const { fetch } = createTransport(env)
  const own = identifyProject(cwd)
  return async (request: Request): Promise<Response> => {
    const response = await fetch(request)
    const project = response.headers.get(PROJECT_HEADER) ?? own
    if (project === own) return response
    await response.body?.cancel()
    const name = quote(decodePercent(project.replace(/\.\w+$/, '')))
    const port = portOf(new URL(request.url))
    throw new WrongServerError(`the project ${name} in a different folder uses port ${port}`)
  }
}
