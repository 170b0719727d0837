import type { TestProject } from 'vitest/node'
import { buildUi } from '../../../scripts/build-ui.ts'
import { launchBrowser } from '../../../scripts/chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run listens. */
    readonly browserEndpoint: string
  }
}

/** Builds the workspace and starts one browser for every file of the project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildUi()
  const server = await launchBrowser()
  project.provide('browserEndpoint', server.wsEndpoint())
  return () => server.close()
}
