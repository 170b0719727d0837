import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noAuth, secretHeader, text } from 'sidecard'
import { serve } from 'sidecard/node'
import { makeApp } from '../helpers/app.ts'
import { cli } from '../helpers/cli.ts'

const valid = JSON.stringify({
  version: '1.0.0',
  header: { title: 'Billing' },
  components: [{ type: 'text', label: 'Plan', value: 'x'.repeat(60) }],
})

test('shows a payload from a file and from the standard input', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'sidecard-')), 'answer.json')
  await writeFile(file, valid)
  const fromFile = await cli(['render', file])
  expect(fromFile).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Plan  xxx') })
  expect(fromFile.stderr).toContain('components[0].value: this text does not fit')
  expect(await cli(['render', '-'], { stdin: valid })).toEqual(fromFile)
})

test('names what is wrong with a payload, where, and the fix', async () => {
  const stdin =
    '{"version":"1.0.0","header":{},"components":[{"type":"badge","label":"x","items":[{"value":"y","color":"grey"}]}]}'
  const human = await cli(['render', '-'], { stdin })
  expect(human.exitCode).toBe(1)
  expect(human.stderr).toMatch(/components\[0\]\.items\[0\]\.color: .*gray/)
  const json = await cli(['render', '-', '--json'], { stdin })
  expect(json.exitCode).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, issues: [{ code: 'invalid_color' }] })
})

test.each([
  ['what is no JSON', ['render', '-'], 'not json', 1],
  ['a file that is not there', ['render', '/nowhere/answer.json'], '', 2],
  ['a zone that is none', ['render', '-', '--time-zone', 'Mars/Olympus'], valid, 2],
  ['a width that is none', ['render', '-', '--width', 'wide'], valid, 2],
])('refuses %s', async (_name, args, stdin, exitCode) => {
  const answer = await cli(args, { stdin })
  expect(answer.exitCode).toBe(exitCode)
  expect(answer.stderr.trim().split('\n')).toHaveLength(1)
})

test('asks an endpoint as the service would, with its headers', async () => {
  const app = makeApp<any>({
    auth: secretHeader('x-secret', 's'),
    fetchData: (ctx) => [text({ label: 'Account', value: ctx.require('account_id') })],
  })
  await using server = await serve(app, { port: 0, handleSignals: false })
  const args = ['render', server.url, '--param', 'account_id=acc_9']
  const shown = await cli([...args, '-H', 'x-secret: env:SECRET'], { env: { SECRET: 's' } })
  expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('acc_9') })
  const refused = await cli(args)
  expect(refused.exitCode).toBe(1)
})

test('says that nothing answers, with an exit code of its own', async () => {
  const server = await serve(makeApp({ auth: noAuth() }), { port: 0, handleSignals: false })
  await server.close()
  expect((await cli(['render', server.url])).exitCode).toBe(3)
})
