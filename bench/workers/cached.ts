/** The same Worker with its card in a cached section. */
import { section, sidecard } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { auth, type Env, fetchData, header } from './billing-card.ts'

const cache = sectionCache({ name: 'plan', store: memoryStore(), ttlSeconds: 60 })

export default sidecard<Env>({
  header,
  auth,
  fetchData: (ctx) =>
    section('Plan', async () => (await fetchData(ctx)).flatMap(({ components }) => components), {
      cache,
      key: [ctx.params.account_id],
    }),
})
