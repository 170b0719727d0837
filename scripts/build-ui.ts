/**
 * Bundles the workspace (src/tools/workspace) into dist/workspace, and its playground
 * for the documentation site, with the licenses of the bundled packages. Fails
 * if the first load or the later views of the workspace exceed their budgets.
 */
import { build, transform } from 'esbuild'
import type { Metafile } from 'esbuild'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** The maximum size of the script of the first load, gzipped. */
export const BUDGET_BYTES = 50_000

/** The maximum additional size of the views that are loaded later, gzipped. */
export const LATER_BUDGET_BYTES = 72_000

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const ENTRY = 'src/tools/workspace/main.tsx'

/** Writes the bundle, which contains no paths of this machine. */
export async function buildUi(outdir = path('../dist/workspace')): Promise<void> {
  const metafile = await bundle({ in: ENTRY, out: 'app' }, outdir)
  await writePage(metafile, outdir)
}

/** Writes the playground for the documentation site: a folder of files that needs no server. */
export async function buildSitePlayground(outdir: string): Promise<void> {
  await bundle({ in: 'src/tools/workspace/site/main.tsx', out: 'main' }, outdir)
  await copyFile(path('../src/tools/workspace/site/index.html'), `${outdir}/index.html`)
}

/** Bundles one page, with the icon and the licenses of the packages. */
async function bundle(
  entry: { readonly in: string; readonly out: string },
  outdir: string,
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: path('..'),
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    metafile: true,
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2023', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'warning',
  })
  await shortenNames(metafile)
  await writeLicenses(metafile, outdir)
  await copyFile(path('../src/tools/workspace/icon.svg'), `${outdir}/icon.svg`)
  await removeOldChunks(metafile, outdir, `${entry.out}.css`)
  return metafile
}

/**
 * Shortens the names in the scripts, in a separate step, because the
 * classes keep their readable names, such as `widget_header`.
 */
async function shortenNames(metafile: Metafile): Promise<void> {
  const scripts = Object.keys(metafile.outputs).filter((file) => file.endsWith('.js'))
  const work = scripts.map(async (file) => {
    const script = await readFile(path(`../${file}`), 'utf8')
    const { code } = await transform(script, {
      minify: true,
      format: 'esm',
      legalComments: 'none',
      charset: 'utf8',
    })
    await writeFile(path(`../${file}`), code)
  })
  await Promise.all(work)
}

/**
 * Removes the chunks of earlier builds. Their names contain a hash, so they are
 * not overwritten.
 */
async function removeOldChunks(
  metafile: Metafile,
  outdir: string,
  styleFile: string,
): Promise<void> {
  const current = new Set(Object.keys(metafile.outputs).map((file) => basename(file)))
  for (const name of await readdir(outdir)) {
    const isOld = /\.(?:js|css)$/.test(name) && !current.has(name)
    // The style of the entry point has the styles of all chunks.
    const isCopy = name.endsWith('.css') && name !== styleFile
    if (isOld || isCopy) await rm(`${outdir}/${name}`, { force: true })
  }
}

/** Preloads the chunks that the first load imports, so that they do not wait for `app.js`. */
async function writePage(metafile: Metafile, outdir: string): Promise<void> {
  const page = await readFile(path('../src/tools/workspace/index.html'), 'utf8')
  const links = [...staticImports(metafile, ENTRY)]
    .filter((file) => basename(file) !== 'app.js')
    .map((file) => `<link rel="modulepreload" href="/-/assets/${basename(file)}" />`)
  await writeFile(
    `${outdir}/index.html`,
    page.replace('  </head>', `${links.map((link) => `    ${link}\n`).join('')}  </head>`),
  )
}

/** Returns the output files that an entry point imports statically. */
function staticImports(metafile: Metafile, entry: string): ReadonlySet<string> {
  const files = new Set<string>()
  const visit = (file: string | undefined) => {
    if (file === undefined || files.has(file)) return
    files.add(file)
    for (const { kind, path: to } of metafile.outputs[file]?.imports ?? []) {
      if (kind === 'import-statement') visit(to)
    }
  }
  visit(Object.keys(metafile.outputs).find((file) => metafile.outputs[file]?.entryPoint === entry))
  return files
}

/** Writes the licenses of the bundled packages, which must be distributed with them. */
async function writeLicenses(metafile: Metafile, outdir: string): Promise<void> {
  const names = new Set(
    Object.keys(metafile.inputs).flatMap(
      (input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
    ),
  )
  const texts = [...names].sort().map(async (name) => {
    const folder = path(`../node_modules/${name}/`)
    const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each))
    if (file === undefined) throw new Error(`${name} has no license file.`)
    return `${name}\n\n${await readFile(`${folder}${file}`, 'utf8')}`
  })
  await writeFile(`${outdir}/LICENSES.txt`, (await Promise.all(texts)).join('\n\n---\n\n'))
}

/** Returns the gzipped sizes of the first load and of the later views, in bytes. */
export async function measureUi(
  folder = new URL('../dist/workspace/', import.meta.url),
): Promise<{ readonly firstLoad: number; readonly later: number }> {
  const page = await readFile(new URL('index.html', folder), 'utf8')
  const scripts = new Set([...page.matchAll(/\/-\/assets\/([\w-]+\.js)/g)].map(([, name]) => name))
  let firstLoad = 0
  let later = 0
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js')) continue
    const { length } = gzipSync(await readFile(new URL(name, folder)), { level: 9 })
    if (scripts.has(name)) firstLoad += length
    else later += length
  }
  return { firstLoad, later }
}

if (import.meta.main) {
  await buildUi()
  const { firstLoad, later } = await measureUi()
  console.log(`first load  ${formatKilobytes(firstLoad)} kB gzipped`)
  console.log(`later views ${formatKilobytes(later)} kB gzipped, loaded when one is opened`)
  if (firstLoad > BUDGET_BYTES || later > LATER_BUDGET_BYTES) {
    console.error(
      `The budgets are ${BUDGET_BYTES} and ${LATER_BUDGET_BYTES} bytes. Look for new imports: npx esbuild --analyze`,
    )
    process.exitCode = 1
  }
}

function formatKilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
