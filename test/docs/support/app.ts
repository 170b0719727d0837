import { secretHeader, sidecard, text } from 'sidecard'

/** The app that examples import. */
const app = sidecard<{ SIDECARD_SECRET: string }>({
  header: { title: 'Billing' },
  auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
  fetchData: () => [text({ label: 'Plan', value: 'Pro' })],
})

export { app }
// oxlint-disable-next-line import/no-default-export -- apps are default exports
export default app
