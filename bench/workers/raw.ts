/** The limit: a Worker without any framework. */
import { literals } from '../contenders/sizes.ts'

let n = 0

export default {
  fetch(request: Request) {
    const { searchParams } = new URL(request.url)
    const size = request.headers.get('x-size') === '1' ? 1 : 15
    n = (n + 1) % (searchParams.size + 1000)
    return Response.json(literals(size, n))
  },
}
