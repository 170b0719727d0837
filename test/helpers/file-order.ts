import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { DRAW } from './draw.ts'

/** The files that take longest on a quiet machine with two cores. */
const LONG =
  /\/(?:templates|[\w-]*recipes\/[\w-]+|matrix|dev-arrival|(?:actions-)?accessibility)\.slow\.|\/docs\/generated\./

/**
 * Runs the files of a project together and shuffles them, long ones first.
 *
 * A worker whose files share their imports ends if the next file is of another project, and the
 * last file of a run should not be a long one.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    this.ctx.logger.log(`      Drawing cases with DRAW=${DRAW}\n`)
    const keyOf = ({ project, moduleId }: TestSpecification) => {
      const chance = createHash('sha256').update(`${seed}${moduleId}`).digest('hex')
      return [project.name, LONG.test(moduleId) ? 0 : 1, chance].join(' ')
    }
    const keys = new Map(files.map((file) => [file, keyOf(file)]))
    return files.toSorted((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : 1))
  }
}
