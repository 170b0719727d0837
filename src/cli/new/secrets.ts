import { randomBytes } from 'node:crypto'
import type { ProjectFile } from './templates.ts'

/** The local secrets of a new project, from its example file: fresh random values, for this user only. */
export function secretsFile(example: ProjectFile, path: string): ProjectFile {
  const content = example.content
    .split('\n')
    .filter((line) => !line.startsWith('# Copy to'))
    .map((line) => line.replace(/=choose-.*$/, () => `=${randomBytes(24).toString('base64url')}`))
    .join('\n')
  return { path, content, mode: 0o600 }
}
