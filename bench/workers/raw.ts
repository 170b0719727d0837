/** The upper limit on workerd: a Worker without a framework. */
import { withLiterals } from '../candidates/payloads.ts'
import { requestedSize } from './requested-size.ts'

let n = 0

export default {
  fetch(request: Request) {
    const { searchParams } = new URL(request.url)
    n += searchParams.size > 0 ? 1 : 2
    return Response.json(withLiterals(requestedSize(request.headers.get('x-size')), n))
  },
}
