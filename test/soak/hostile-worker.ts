/** Runs the soak of hostile requests in workerd, and returns its result as JSON. */
import { hostileRequestsSoak } from './hostile-requests.ts'
import type { SoakOptions } from './soak.ts'

export default {
  fetch: async (request: Request) =>
    Response.json(await hostileRequestsSoak((await request.json()) as SoakOptions)),
}
