/** The same answers from a sidebar app. */
import { noAuth, sidecard } from 'sidecard'
import { built } from '../contenders/sizes.ts'
import { header } from '../payloads.ts'

let n = 0

export default sidecard({
  header,
  auth: noAuth(),
  fetchData: ({ c }) =>
    built(c.req.header('x-size') === '1' ? 1 : 15, (n = (n + 1) % 1000)).components,
})
