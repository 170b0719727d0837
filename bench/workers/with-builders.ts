/** The same payload from a sidebar app. */
import { noAuth, sidecard } from 'sidecard'
import { built, HEADER, readRow } from '../payloads.ts'

export default sidecard({
  header: HEADER,
  auth: noAuth(),
  logger: false,
  fetchData: () => built(15, 1, readRow),
})
