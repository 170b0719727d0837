/** The Worker whose size has a limit. */
import { sidecard } from 'sidecard'
import { auth, type Env, fetchData, header } from './billing-card.ts'

export default sidecard<Env>({ header, auth, fetchData })
