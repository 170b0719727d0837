/** A Worker that reads accounts from D1 and caches sections in KV, for the scale test. */
import { type KvNamespace, kvStore, sectionCache } from '../../src/runtime/cache/index.ts'
import { fields, identify, noAuth, section, sidecard } from '../../src/index.ts'

/** The part of a D1 database that this Worker uses. */
interface Database {
  prepare(sql: string): Statement
}

interface Statement {
  bind(...values: readonly unknown[]): Statement
  first<Row>(): Promise<Row | null>
  run(): Promise<unknown>
}

interface Env {
  readonly PAYLOADS: KvNamespace
  readonly ACCOUNTS: Database
}

const ACCOUNTS = 5_000
let loads = 0

const cache = sectionCache({
  name: 'plans',
  store: ({ PAYLOADS }: Env) => kvStore(PAYLOADS),
  ttlSeconds: 60,
  staleSeconds: 600,
})

const app = sidecard<Env>({
  header: { title: 'Billing' },
  auth: noAuth(),
  async fetchData(ctx) {
    const query = ctx.env.ACCOUNTS.prepare('select name, plan from accounts where id = ?')
    const { value } = await identify(ctx, {
      account_id: (id) => query.bind(id).first<{ name: string; plan: string }>(),
    })
    const load = () => {
      loads += 1
      return fields({ Account: value.name, Plan: value.plan })
    }
    return section('Plan', load, { cache })
  },
})

export default {
  async fetch(request: Request, env: Env, ctx: unknown): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/calls') return Response.json(loads)
    if (pathname !== '/seed') return app.fetch(request, env, ctx as never)
    await env.ACCOUNTS.prepare(
      'create table accounts (id text primary key, name text, plan text)',
    ).run()
    await env.ACCOUNTS.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ACCOUNTS})
       insert into accounts select 'acc_' || i, 'Customer ' || i, 'Business' from n`,
    ).run()
    return Response.json(ACCOUNTS)
  },
}
