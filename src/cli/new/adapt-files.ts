import type { PackageManager } from './package-manager.ts'
import type { ProjectFile } from './templates.ts'

/** How a workflow on GitHub gets a package manager, and installs what the lock file names. */
const WORKFLOW: Readonly<Record<Exclude<PackageManager, 'npm'>, readonly string[]>> = {
  pnpm: [
    '- uses: pnpm/action-setup@v4',
    '  with:',
    '    version: latest',
    '- run: pnpm install --frozen-lockfile',
  ],
  yarn: ['- run: yarn install --frozen-lockfile'],
  bun: ['- uses: oven-sh/setup-bun@v2', '- run: bun install --frozen-lockfile'],
}

/** Files in which commands of npm stand. */
const SPEAKS_OF_NPM = /(?:\.md|\.yml|^package\.json)$/

/** The templates speak of npm: this makes them speak of another package manager. */
export function adaptFiles(
  files: readonly ProjectFile[],
  manager: PackageManager,
): readonly ProjectFile[] {
  if (manager === 'npm') return files
  const adapted = files.map(({ path, content }) => ({
    path,
    content: SPEAKS_OF_NPM.test(path) ? speak(content, manager) : content,
  }))
  return manager === 'pnpm' ? [...adapted, ...allowedBuilds(files)] : adapted
}

function speak(content: string, manager: Exclude<PackageManager, 'npm'>): string {
  return (
    content
      .replace(/^ +cache: npm\n/m, '')
      .replace(/^( +)- run: npm ci$/m, (_line, indent: string) =>
        WORKFLOW[manager].map((line) => indent + line).join('\n'),
      )
      .replaceAll('npm run ', `${manager} run `)
      // Not "bun test", which is Bun's own runner.
      .replaceAll('npm test', `${manager} run test`)
  )
}

/** pnpm fails an install whose scripts are neither allowed nor refused, and reads it elsewhere. */
function allowedBuilds(files: readonly ProjectFile[]): readonly ProjectFile[] {
  const manifest = files.find(({ path }) => path === 'package.json')?.content ?? '{}'
  const { allowScripts } = JSON.parse(manifest) as { allowScripts?: Record<string, boolean> }
  if (allowScripts === undefined) return []
  const lines = Object.entries(allowScripts).map(([name, isAllowed]) => `  ${name}: ${isAllowed}`)
  return [{ path: 'pnpm-workspace.yaml', content: `allowBuilds:\n${lines.join('\n')}\n` }]
}
