import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Gives the app of a new project another port, in its project file. */
export function moveToPort(folder: string, port: number): void {
  const path = join(folder, 'sidecard.json')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/localhost:\d+/, `localhost:${port}`))
}
