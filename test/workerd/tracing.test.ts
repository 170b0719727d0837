import { expect, test } from 'vitest'
import { type Instrument, noAuth, section, sidecard, text } from 'sidecard'
import { FETCH_DATA } from '../helpers/app.ts'

const MODULE: string = 'cloudflare:workers'
// The module has the types of Workers, which would replace those of the DOM in all other tests.
const { tracing } = (await import(MODULE)) as { readonly tracing: Tracing }

interface Tracing {
  enterSpan<R>(name: string, run: (span: WorkersSpan) => R): R
}

interface WorkersSpan {
  setAttributes(attributes: Readonly<Record<string, string>>): void
}

test('the tracing of Workers runs the functions of spans', async () => {
  const names: string[] = []
  const instrument: Instrument = {
    span: (name, attributes, run) =>
      tracing.enterSpan(name, (span) => {
        names.push(name)
        span.setAttributes(attributes)
        return run()
      }),
  }
  const app = sidecard({
    header: { title: 'Traced' },
    auth: noAuth(),
    instrument,
    fetchData: () => [section('Orders', async () => text({ label: 'Last', value: '#10482' }))],
  })
  const response = await app.request(FETCH_DATA)
  expect(await response.text()).toContain('#10482')
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
  expect(names).toEqual(['fetchData', 'section'])
})
