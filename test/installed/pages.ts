import { globSync } from 'node:fs'
import { type Marks, type Place, PLACES, readMarks } from './marks.ts'
import { type Block, parseBlocks, readBlocks } from './parse-blocks.ts'
import { root } from './root.ts'
import { readTemplate } from '../../src/tools/cli/new/read-template.ts'
import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'

/** A page with its own run. */
const ELSEWHERE = new Set(['docs/guides/with-your-stack.md'])

/** The pages that users follow. */
export const PAGES: readonly string[] = globSync(
  [
    'README.md',
    'docs/{cli,client,contract,emulator,errors,get-started,how-it-works,security,testing}.md',
    'docs/guides/*.md',
  ],
  { cwd: root },
)
  .filter((page) => !ELSEWHERE.has(page))
  .toSorted()

/** The READMEs of projects, as `sidecard new` writes them. Those with sample customers are equal to others. */
export const PROJECT_PAGES = await Promise.all(
  TEMPLATES.filter(({ data }) => data.name !== 'sample').map(async (template) => {
    const place: Place | undefined = PLACES.find((each) => each === template.name)
    if (place === undefined) throw new Error(`Add ${template.name} to PLACES.`)
    const files = await readTemplate(template, { name: template.name, sidecard: '*', version: '0' })
    const text = files.find(({ path }) => path === 'README.md')?.content ?? ''
    return { template: place, page: `README.md of ${template.name}`, text }
  }),
)

/** A block and its marks. */
export interface MarkedBlock {
  readonly block: Block
  readonly marks: Marks
}

/** The deployment in the README of a project: its reader sees no marks, so they are here. */
const PROJECT_MARKS: readonly (readonly [RegExp, string])[] = [
  [/\bdocker run\b/, 'needs Docker'],
  [/\bwrangler login\b/, 'needs a Cloudflare account'],
]

/** Returns the blocks of a page that can be followed. */
export function followedBlocks(page: string): readonly MarkedBlock[] {
  const project = PROJECT_PAGES.find((each) => each.page === page)
  const blocks = project ? parseBlocks(page, project.text) : readBlocks(root, page)
  return blocks
    .filter(({ language, info }) => language === 'sh' || language === 'ts' || info !== '')
    .map((block) => {
      if (project === undefined) return { block, marks: readMarks(block) }
      const notRun = PROJECT_MARKS.find(([pattern]) => pattern.test(block.code))?.[1]
      return { block, marks: { in: project.template, ...(notRun !== undefined && { notRun }) } }
    })
}

/** Every block of every page. */
export const BLOCKS: readonly MarkedBlock[] = [
  ...PAGES,
  ...PROJECT_PAGES.map(({ page }) => page),
].flatMap(followedBlocks)
