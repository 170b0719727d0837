import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  endpoint,
  HEADERS,
  json,
  payload,
  type ReceivedRequest,
} from '../../fixtures/endpoints/reference.ts'
import { listen } from '../../helpers/listen.ts'

const folder = new URL('../../../.github/actions/check/', import.meta.url)
const bin = new URL('../../../src/tools/cli/bin.ts', import.meta.url).pathname

/** Runs the action's own shell step, with an `npx` that starts this working tree. */
async function runStep(inputs: Record<string, string>) {
  const runner = await mkdtemp(join(tmpdir(), 'sidecard-action-'))
  const npx = join(runner, 'npx')
  await writeFile(
    npx,
    `#!/bin/sh\nshift\necho "$1" > "${runner}/package"\nshift\nexec "${process.execPath}" "${bin}" "$@"\n`,
  )
  await chmod(npx, 0o755)
  const [summary, output] = [join(runner, 'summary'), join(runner, 'output')]
  await Promise.all([writeFile(summary, ''), writeFile(output, '')])
  const env = {
    PATH: `${runner}:${process.env['PATH']}`,
    RUNNER_TEMP: runner,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: output,
    SIDECARD_CHECK_VERSION: '0.1.0',
    ...inputs,
  }
  const script = new URL('run.sh', folder).pathname
  const { code, stdout, stderr } = await new Promise<{
    code: number
    stdout: string
    stderr: string
  }>((resolve) => {
    execFile('bash', [script], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout: out, stderr: err })
    })
  })
  const outputs = Object.fromEntries(
    (await readFile(output, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  ) as Record<string, string>
  const read = (path: string) => readFile(path, 'utf8')
  return {
    code,
    stdout,
    stderr,
    outputs,
    summary: await read(summary),
    packageName: await read(join(runner, 'package')),
    read,
  }
}

/** Shows the name of a customer that it knows. */
const NAMES: Readonly<Record<string, string>> = {
  acme: 'Acme Limited',
  globex: 'Globex Corporation',
}
const named = (received: ReceivedRequest) => {
  const value = NAMES[received.params.get('account_id') ?? ''] ?? 'No such customer'
  json(received, payload(received, [{ type: 'text', label: 'Name', value }]))
}

const INPUTS = {
  SIDECARD_CHECK_HEADERS: 'x-key: env:SECRET\n',
  SECRET: HEADERS['x-key'],
}

describe('the GitHub action', { timeout: 30_000 }, () => {
  it('writes annotations, a summary, outputs and the report for a conformant endpoint', async () => {
    const result = await runStep({
      ...INPUTS,
      SIDECARD_CHECK_URL: await listen(endpoint({ data: named })),
      SIDECARD_CHECK_PARAMS:
        'account_id=acme\nshows=Acme Limited\naccount_id=globex\nshows=Globex Corporation\nunknown-shows=No such customer\n\n',
      SIDECARD_CHECK_EXPECT_AUTH: 'true',
      SIDECARD_CHECK_PROFILE: 'production',
      SIDECARD_CHECK_LATENCY_SAMPLES: '5',
      SIDECARD_CHECK_MAX_P95: '30000',
    })
    expect(result.stderr).toBe('')
    expect(result.code).toBe(0)
    expect(result.packageName).toBe('sidecard@0.1.0\n')
    expect(result.stdout).toMatch(/^::notice title=sidecard check::.*conforms/)
    expect(result.summary).toMatch(
      /^~~~text\nhttp:[^]*The endpoint conforms to the contract\.\n~~~\n$/,
    )
    expect(result.outputs['verdict']).toBe('conforms')
    const report = JSON.parse(await result.read(result.outputs['report'] ?? '')) as {
      timings: { data: { count: number } }
    }
    expect(report.timings.data.count).toBe(5)
    // The data of a customer is not in a report for machines.
    expect(report).not.toHaveProperty('payload')
    expect(report).not.toHaveProperty('exchanges')
  })

  it('fails with annotations for a broken endpoint, and still writes its reports', async () => {
    const grey = { type: 'badge', label: '\n~~~\n', items: [{ value: 'a', color: '\n~~~' }] }
    const url = await listen(
      endpoint({ data: (received) => json(received, payload(received, [grey])) }),
    )
    const result = await runStep({ ...INPUTS, SIDECARD_CHECK_URL: url })
    expect(result.code).toBe(1)
    expect(result.stdout).toMatch(/^::error title=sidecard badge-color::components\[3\]/)
    expect(result.summary).toMatch(
      /✗ badge-color[^]*The endpoint violates the contract\.\nNot proven: security-isolation[^]*\.\n~~~\n$/,
    )
    // No text of the endpoint ends the block.
    expect(result.summary.match(/^~~~/gm)).toHaveLength(2)
    expect(result.outputs['verdict']).toBe('violates')
    expect(await result.read(result.outputs['report'] ?? '')).toContain('badge-color')
  })

  it('rejects invalid inputs without running them as shell code', async () => {
    const result = await runStep({
      ...INPUTS,
      SIDECARD_CHECK_URL: 'http://127.0.0.1:1/$(touch pwned)`touch pwned`',
      SIDECARD_CHECK_PARAMS: 'acount_id=1"; echo pwned',
    })
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('Did you mean account_id?')
    expect(result.stdout).toBe('')
    expect(result.outputs['verdict']).toBeUndefined()
  })

  it('has the inputs and outputs that its page uses', async () => {
    const page = await readFile(
      new URL('../../../docs/guides/checking.md', import.meta.url),
      'utf8',
    )
    const action = await readFile(new URL('action.yml', folder), 'utf8')
    const list = (section: string) => {
      const [, block = ''] = new RegExp(`^${section}:\n([^]*?)\n\n`, 'm').exec(action) ?? []
      return [...block.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name)
    }
    const [, used = ''] = /^ {8}with:\n([^]*?)^```/m.exec(page) ?? []
    const inputs = [...used.matchAll(/^ {10}([\w-]+):/gm)].map(([, name]) => name)
    expect(inputs.length).toBeGreaterThan(5)
    expect(list('inputs')).toEqual(expect.arrayContaining(inputs))
    expect(list('outputs')).toEqual(['verdict', 'report'])
    for (const name of list('outputs')) expect(page).toContain(`\`${name}\``)
  })

  it('pins every action to a commit, and passes every input through the environment', async () => {
    const action = await readFile(new URL('action.yml', folder), 'utf8')
    const uses = [...action.matchAll(/uses: (\S+)/g)].map(([, name]) => name)
    expect(uses).toHaveLength(2)
    for (const name of uses) expect(name).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
    const script = await readFile(new URL('run.sh', folder), 'utf8')
    expect(script).not.toContain('${{')
    for (const [, run] of action.matchAll(/run: (.+)$/gm)) expect(run).not.toContain('${{')
    const variables = [
      ...action.matchAll(/^ +(SIDECARD_CHECK_\w+): \$\{\{ inputs\.([\w-]+) \}\}$/gm),
    ]
    for (const [, variable = '', input = ''] of variables) {
      expect(script).toContain(variable)
      expect(variable).toBe(`SIDECARD_CHECK_${input.toUpperCase().replaceAll('-', '_')}`)
    }
    const declared = [
      ...(/^inputs:\n([^]*?)\n\n/m.exec(action)?.[1] ?? '').matchAll(/^ {2}([\w-]+):$/gm),
    ]
    const passed = variables.map(([, , input]) => input)
    expect(declared.map(([, input]) => input).filter((input) => !passed.includes(input))).toEqual([
      'node-version',
    ])
    const { version } = JSON.parse(
      await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
    ) as { version: string }
    expect(action).toContain(`default: ${version}`)
  })
})
