import { buildUi } from '../../../scripts/build-ui.ts'
import { findChromium } from '../../../scripts/chromium.ts'

/** Builds the workspace, and unpacks the browser, once for all files of the project. */
export async function setup(): Promise<void> {
  await Promise.all([buildUi(), findChromium()])
}
