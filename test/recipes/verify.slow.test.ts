import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listRecipes } from '../../src/tools/cli/add/recipes.ts'
import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { draw } from '../helpers/draw.ts'
import { followStep } from '../helpers/follow-steps.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { createScaffold } from '../helpers/scaffold.ts'
import { moveToPort } from '../helpers/move-to-port.ts'

const recipes = await listRecipes()

describe.each(draw(TEMPLATES, 2))('the template $name with all its recipes', ({ name, host }) => {
  test('conforms to the contract, in a fresh clone, with one command', async () => {
    const project = await createScaffold(name)
    const supported = recipes.filter(({ variants }) => name in variants || host.name in variants)
    for (const recipe of supported) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as a user does
      const { stdout } = await project.cli('add', recipe.name, '--no-install', '--json')
      for (const step of JSON.parse(stdout).next) followStep(project.folder, step)
    }
    project.install()
    rmSync(join(project.folder, host.secretsFile))
    moveToPort(project.folder, await findFreePort())
    const { exitCode, output } = project.npm(['run', 'check'])
    expect([exitCode, output]).toEqual([0, expect.stringContaining('conforms to the contract')])
  }, 180_000)
})
