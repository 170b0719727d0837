/** The same payloads from a sidebar app, made of builders. */
import { noAuth, sidecard } from 'sidecard'
import { LIMITS } from '../candidates/limits.ts'
import { HEADER, withBuilders } from '../candidates/payloads.ts'
import { requestedSize } from './requested-size.ts'

let n = 0

export default sidecard({
  header: HEADER,
  auth: noAuth(),
  limits: LIMITS,
  logger: false,
  fetchData: ({ c }) => withBuilders(requestedSize(c.req.header('x-size')), (n += 1)).components,
})
