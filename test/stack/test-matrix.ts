import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECRET, TRY_FEATURE } from './features.ts'
import { createHostProject } from './host-project.ts'
import type { Program } from './matrix.ts'
import { type RunningHost, startHost } from './running-host.ts'

/** Starts programs of the matrix, and tries all their features. */
export function testMatrix(programs: readonly Program[]): void {
  let project: Awaited<ReturnType<typeof createHostProject>>
  beforeAll(async () => {
    project = await createHostProject()
    return project.remove
  })

  // The last feature stops the program.
  const options = { shuffle: false, timeout: 120_000 }
  describe.each(programs)('$host', options, (program) => {
    let host: RunningHost
    const ends: Array<() => Promise<void>> = []
    beforeAll(async () => {
      host = await startHost(project.folder, program, SECRET, (end) => void ends.push(end))
    }, 120_000)
    afterAll(() => Promise.all(ends.map((end) => end())))

    test.each(program.features)(
      `${program.host} runs %s if ${program.reader} reads forms before the app`,
      async (feature) => {
        await expect(TRY_FEATURE[feature](host)).resolves.toBeUndefined()
      },
    )
  })
}
