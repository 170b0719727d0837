/** An app, and requests as the service sends them. */
import { badge, card, dateTime, secretHeader, section, sidecard, text } from '../../src/index.ts'

const app = sidecard<{ Bindings: { SECRET: string } }>({
  header: { title: 'Billing' },
  auth: secretHeader('x-key', (env) => env.SECRET),
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  fetchData: (ctx) => [
    card({
      header: { title: ctx.require('account_id') },
      components: [
        text({ label: 'Plan', value: 'Zoë 📞' }),
        dateTime({ label: 'Renews', value: new Date(0) }),
      ],
    }),
    section('Slow', async () => [badge({ label: 'x', items: [{ value: 'y', color: 'green' }] })]),
    section('Broken', () => Promise.reject(new Error('canary'))),
  ],
})
const send = async (query: string, headers: Record<string, string> = { 'x-key': 's' }) => {
  const response = await app.request(`/?${query}`, { headers }, { SECRET: 's' })
  return { status: response.status, body: await response.text() }
}
const shown = await send('request_type=fetch_data&account_id=acc_1')
// oxlint-disable-next-line no-console -- the test reads it
console.log(
  JSON.stringify({
    handshake: (await send('request_type=verify&code=a%2Bb%20%F0%9F%94%91')).body,
    titles: JSON.parse(shown.body).components.map(
      (component: { header: { title: string } }) => component.header.title,
    ),
    leaked: shown.body.includes('canary'),
    rejected: (await send('request_type=verify&code=x', {})).status,
    unknown: (await send('request_type=nonsense')).status,
  }),
)
