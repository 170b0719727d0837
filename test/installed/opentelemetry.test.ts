import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packagesOf, readSections } from '../stack/sections.ts'
import { createProject, run } from './packed-project.ts'
import { hasRegistry } from './project.ts'

const page = new URL('../../docs/guides/observing.md', import.meta.url)
const section = readSections(page).find(({ title }) => title === 'OpenTelemetry')!

const APP = `import { noAuth, sidecard, text } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { shutDownTelemetry } from './opentelemetry.ts'
import { telemetry, traceRequests } from './telemetry.ts'

const app = sidecard({
  header: { title: 'Billing' },
  auth: noAuth(),
  middleware: [traceRequests],
  instrument: telemetry,
  fetchData: () => [text({ label: 'Plan', value: 'Pro' })],
})
const { outcome } = await createTestService(app).openIssue({ account_id: 'acc_1' })
await shutDownTelemetry()
console.log(outcome)
`

test("the page's command installs today's OpenTelemetry, and its code sends spans and metrics", async ({
  skip,
}) => {
  skip(!hasRegistry, 'there is no package registry')
  const received: Record<string, string> = {}
  const collector = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received[request.url ?? ''] = (received[request.url ?? ''] ?? '') + body
      response.setHeader('content-type', 'application/json').end('{}')
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void collector.close())
  await once(collector, 'listening')
  const packages = packagesOf([section])
  expect(packages).toContain('@opentelemetry/sdk-trace')
  // The adapter imports Hono, whose types the compiler needs as well.
  const project = await createProject([...packages, 'hono', 'typescript', '@types/node'])

  const folder = join(project, 'src')
  mkdirSync(folder)
  const [adapter, setup] = section.blocks.filter(({ language }) => language === 'ts')
  writeFileSync(join(folder, 'telemetry.ts'), adapter?.code ?? '')
  writeFileSync(join(folder, 'opentelemetry.ts'), setup?.code ?? '')
  writeFileSync(join(folder, 'app.ts'), APP)
  const { port } = collector.address() as AddressInfo
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
  const { exitCode, output } = await run(
    project,
    'node',
    ['--import', './src/opentelemetry.ts', 'src/app.ts'],
    env,
  )
  expect([exitCode, output]).toEqual([0, expect.stringContaining('rendered')])
  expect(received['/v1/traces']).toContain('"name":"fetchData"')
  expect(received['/v1/metrics']).toContain('"name":"sidecard.response.duration"')
  expect(JSON.stringify(received)).not.toContain('acc_1')

  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--strict',
    '--noEmit',
    '--skipLibCheck',
  ]
  const files = ['src/app.ts', '--allowImportingTsExtensions', '--types', 'node']
  expect(await run(project, 'tsc', [...options, ...files])).toEqual({
    exitCode: 0,
    output: '',
  })
  expect(readFileSync(page, 'utf8')).not.toContain('sdk-trace-base')
}, 300_000)
