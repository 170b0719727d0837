/**
 * Bundles the workspace of the emulator (src/emulator/ui) into
 * dist/emulator/ui, with the licences of what is inside. Fails when `app.js`
 * outgrows its budget.
 */
import { build } from 'esbuild'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** The most that `app.js` may weigh, gzipped. */
export const BUDGET_BYTES = 60_000

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Writes the bundle. Nothing in it names a path of this machine. */
export async function buildUi(outdir = path('../dist/emulator/ui')): Promise<void> {
  await build({
    absWorkingDir: path('..'),
    entryPoints: [
      { in: 'src/emulator/ui/main.tsx', out: 'app' },
      { in: 'src/emulator/ui/styles/main.css', out: 'app' },
    ],
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2023', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'warning',
  })
  await writeLicences(outdir)
  for (const file of ['index.html', 'icon.svg']) {
    await copyFile(path(`../src/emulator/ui/${file}`), `${outdir}/${file}`)
  }
}

/** The packages that are inside the bundle; their licences ask to be passed on. */
const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core', 'jsonc-parser']

async function writeLicences(outdir: string): Promise<void> {
  const texts = BUNDLED.map(async (name) => {
    const folder = path(`../node_modules/${name}/`)
    const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each))
    if (file === undefined) throw new Error(`${name} has no licence file to pass on.`)
    return `${name}\n\n${await readFile(`${folder}${file}`, 'utf8')}`
  })
  await writeFile(`${outdir}/LICENSES.txt`, (await Promise.all(texts)).join('\n\n---\n\n'))
}

/** The size of a file as it is, and as gzip sends it. */
async function sizeOf(file: string): Promise<{ bytes: number; gzipped: number }> {
  const content = await readFile(path(`../dist/emulator/ui/${file}`))
  return { bytes: content.length, gzipped: gzipSync(content, { level: 9 }).length }
}

if (import.meta.main) {
  await buildUi()
  for (const file of ['app.js', 'app.css']) {
    const { bytes, gzipped } = await sizeOf(file)
    console.log(`${file.padEnd(8)} ${kilobytes(bytes)} kB, ${kilobytes(gzipped)} kB gzipped`)
    if (file === 'app.js' && gzipped > BUDGET_BYTES) {
      console.error(
        `app.js is ${gzipped} bytes gzipped; its budget is ${BUDGET_BYTES}. Look for what came in with an import: npx esbuild --analyze`,
      )
      process.exitCode = 1
    }
  }
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
