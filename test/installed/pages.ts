import { globSync } from 'node:fs'
import { type Marks, readMarks } from './marks.ts'
import { type Block, readBlocks } from './parse-blocks.ts'
import { root } from './root.ts'
import { TEMPLATES } from '../../src/cli/new/templates.ts'

/** A page with its own run. */
const ELSEWHERE = new Set(['docs/guides/with-your-stack.md'])

/** The pages that users follow. */
export const PAGES: readonly string[] = globSync(
  [
    'README.md',
    'docs/{cli,client,deploying,emulator,options,testing}.md',
    'docs/guides/*.md',
    'docs/checks/github-actions.md',
  ],
  { cwd: root },
)
  .filter((page) => !ELSEWHERE.has(page))
  .toSorted()

/** The READMEs that are copied into projects, and their templates. */
export const PROJECT_PAGES = TEMPLATES.map(({ name }) => ({
  template: name,
  page: `templates/${name}/README.md`,
}))

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
  const template = PROJECT_PAGES.find((each) => each.page === page)?.template
  return readBlocks(root, page)
    .filter(({ language, info }) => language === 'sh' || language === 'ts' || info !== '')
    .map((block) => {
      if (template === undefined) return { block, marks: readMarks(block) }
      const code = block.code.replaceAll('{{name}}', template)
      const notRun = PROJECT_MARKS.find(([pattern]) => pattern.test(code))?.[1]
      return {
        block: { ...block, code },
        marks: { in: template, ...(notRun !== undefined && { notRun }) },
      }
    })
}

/** Every block of every page. */
export const BLOCKS: readonly MarkedBlock[] = [
  ...PAGES,
  ...PROJECT_PAGES.map(({ page }) => page),
].flatMap(followedBlocks)
