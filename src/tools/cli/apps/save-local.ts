import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../../runtime/internal/read-options.ts'
import { parseJsonFile } from '../parse-json-file.ts'
import { saveFile } from '../output-file.ts'
import { PROJECT_FILES } from '../../project/project.ts'
import { findProject, type FoundProject, readFiles } from './find-project.ts'

const [, LOCAL] = PROJECT_FILES

/**
 * Adds customers and states to `sidecard.local.json`, and makes git ignore it. An
 * entry of the same name is replaced. An entry that would make the project
 * invalid is not written.
 *
 * @throws {SidecardError} `invalid_project` or `usage`
 */
export async function saveLocalEntries(folder: string, entries: object): Promise<FoundProject> {
  const path = join(folder, LOCAL)
  const old = parseJsonFile(LOCAL, (await readText(path)) || '{}') as Record<string, unknown>
  const merged = Object.entries(entries).map(([kind, added]) => {
    const known = old[kind]
    return [kind, { ...(isRecord(known) ? known : {}), ...(added as object) }] as const
  })
  const text = `${JSON.stringify({ ...old, ...Object.fromEntries(merged) }, null, 2)}\n`
  readFiles(folder, { [LOCAL]: text })
  await saveFile(path, text)
  await ignoreLocalFile(folder)
  return findProject(folder)
}

/** Adds `sidecard.local.json` to `.gitignore`, because its customers may be real. */
export async function ignoreLocalFile(folder: string): Promise<void> {
  const path = join(folder, '.gitignore')
  const text = await readText(path)
  if (text.split(/\r?\n/).some((line) => line.replace(/^\//, '').trim() === LOCAL)) return
  await appendFile(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${LOCAL}\n`)
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
