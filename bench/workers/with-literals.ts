/** The same payloads from a sidebar app, made of literals. */
import { noAuth, sidecard } from 'sidecard'
import { LIMITS } from '../candidates/limits.ts'
import { HEADER, withLiterals } from '../candidates/payloads.ts'
import { requestedSize } from './requested-size.ts'

let n = 0

export default sidecard({
  header: HEADER,
  auth: noAuth(),
  limits: LIMITS,
  logger: false,
  fetchData: ({ c }) => withLiterals(requestedSize(c.req.header('x-size')), (n += 1)).components,
})
