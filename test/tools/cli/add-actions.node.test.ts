import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TEMPLATES } from '../../../src/tools/cli/new/templates.ts'
import { readFolder } from '../../helpers/read-folder.ts'
import { createScaffold } from '../../helpers/scaffold.ts'

const EXPORTS = { refund: 'refund', 'follow-up-task': 'followUpTask' } as const
type Name = keyof typeof EXPORTS

const ORDERS: ReadonlyArray<readonly [Name, Name]> = [
  ['refund', 'follow-up-task'],
  ['follow-up-task', 'refund'],
]

test.each(
  TEMPLATES.flatMap(({ name, host }) =>
    ORDERS.map((order) => [name, ...order, host.name] as const),
  ),
)('puts the actions of two recipes into one list: %s, %s, %s', async (template, ...rest) => {
  const [first, second, host] = rest
  const { folder, cli } = await createScaffold(template)
  const add = async (name: Name) =>
    JSON.parse((await cli('add', name, '--no-install', '--json')).stdout)
  const results = [await add(first), await add(second)]
  const files = readFolder(folder)
  const actions = files['src/actions.ts']
  expect(actions).toContain(`  list: [${EXPORTS[first]}, ${EXPORTS[second]}],\n`)
  for (const name of [first, second]) expect(actions).toContain(`from './${name}.ts'\n`)
  // A project without a database has the table in the file of its store.
  const migrations = template === 'node' || template === 'node-sample' ? 0 : 1
  const stores = Object.keys(files).filter((path) => path.includes('receipts'))
  expect(stores).toHaveLength(1 + migrations)
  expect(results.map(({ manual }) => manual)).toEqual([[], []])
  expect(results[1].edited).toContain('src/actions.ts')
  const steps = results.map(({ next }) => next.join('\n'))
  expect(steps[0]).toContain('choose a sign-in')
  expect(steps[1]).not.toContain('choose a sign-in')
  const config = files['wrangler.jsonc'] ?? ''
  const databases = config.match(/"d1_databases"/g) ?? []
  const bindings = files['src/env.ts']?.match(/^ +(?:RECEIPTS|DB): /gm) ?? []
  const count = host === 'workers' ? 1 : 0
  expect([databases.length, bindings.length]).toEqual([count, count])
})

test('says which action to add if somebody has changed the list', async () => {
  const { folder, cli } = await createScaffold('node')
  writeFileSync(join(folder, 'src/actions.ts'), 'export const mine = 1\n')
  const { stdout } = await cli('add', 'refund', '--no-install', '--json')
  expect(JSON.parse(stdout).manual).toEqual([
    "src/actions.ts differs from the template and was not changed. Add to it: refund, from './refund.ts', to the list of actions().",
  ])
})
