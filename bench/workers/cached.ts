/** The same Worker with a payload cache. */
import { sidecard } from 'sidecard'
import { memoryStore, payloadCache } from 'sidecard/cache'
import { auth, type Env, fetchData, header } from './billing-card.ts'

export default sidecard<Env>({
  header,
  auth,
  cache: payloadCache({ store: memoryStore(), ttlSeconds: 60 }),
  fetchData,
})
