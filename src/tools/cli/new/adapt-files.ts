import type { PackageManager } from './package-manager.ts'
import type { ProjectFile } from './templates.ts'

type OtherManager = Exclude<PackageManager, 'npm'>

/** The steps of a GitHub workflow that install the locked dependencies. */
const WORKFLOW: Readonly<Record<OtherManager, readonly string[]>> = {
  pnpm: [
    '- uses: pnpm/action-setup@v4',
    '  with:',
    '    version: latest',
    '- run: pnpm install --frozen-lockfile',
  ],
  yarn: ['- run: yarn install --frozen-lockfile'],
  bun: ['- uses: oven-sh/setup-bun@v2', '- run: bun install --frozen-lockfile'],
}

/**
 * The instructions of a Dockerfile that install the locked dependencies, without
 * development dependencies.
 */
const DOCKER: Readonly<Record<OtherManager, readonly string[]>> = {
  pnpm: [
    'RUN corepack enable pnpm',
    'COPY package.json pnpm-*.yaml ./',
    'RUN pnpm install --prod --no-optional --frozen-lockfile',
  ],
  yarn: [
    'COPY package.json yarn.lock ./',
    'RUN yarn install --production --ignore-optional --frozen-lockfile',
  ],
  bun: [
    'RUN npm install --global bun',
    'COPY package.json bun.lock ./',
    'RUN bun install --production --omit=optional --frozen-lockfile',
  ],
}

/** Matches files that contain npm commands. */
const FILES_WITH_NPM_COMMANDS = /(?:\.md|\.yml|^package\.json|^sidecard\.json)$/

/** Rewrites the files of a template, which use npm, for another package manager. */
export function adaptFiles(
  files: readonly ProjectFile[],
  manager: PackageManager,
): readonly ProjectFile[] {
  if (manager === 'npm') return files
  const adapted = files.map(({ path, content, ...rest }): ProjectFile => {
    if (path === 'Dockerfile') return { path, content: replaceDockerInstall(content, manager) }
    const hasCommands = FILES_WITH_NPM_COMMANDS.test(path)
    return { ...rest, path, content: hasCommands ? replaceNpmCommands(content, manager) : content }
  })
  return manager === 'pnpm' ? [...adapted, ...allowedBuilds(files)] : adapted
}

function replaceDockerInstall(content: string, manager: OtherManager): string {
  return content.replace(/^COPY package\*\.json .*\n(?:#.*\n)*RUN npm .*$/m, () =>
    DOCKER[manager].join('\n'),
  )
}

function replaceNpmCommands(content: string, manager: OtherManager): string {
  return (
    content
      .replace(/^ +cache: npm\n/m, '')
      .replace(/^( +)- run: npm ci$/m, (_line, indent: string) =>
        WORKFLOW[manager].map((line) => indent + line).join('\n'),
      )
      .replaceAll('npm run ', `${manager} run `)
      .replaceAll(/\bnpm install/g, `${manager} install`)
      // Not "bun test", which is Bun's own runner.
      .replaceAll('npm test', `${manager} run test`)
  )
}

/** Creates pnpm's list of allowed install scripts. Without it, pnpm fails. */
function allowedBuilds(files: readonly ProjectFile[]): readonly ProjectFile[] {
  const manifest = files.find(({ path }) => path === 'package.json')?.content ?? '{}'
  const { allowScripts } = JSON.parse(manifest) as { allowScripts?: Record<string, boolean> }
  if (allowScripts === undefined) return []
  const lines = Object.entries(allowScripts).map(([name, isAllowed]) => `  ${name}: ${isAllowed}`)
  return [{ path: 'pnpm-workspace.yaml', content: `allowBuilds:\n${lines.join('\n')}\n` }]
}
