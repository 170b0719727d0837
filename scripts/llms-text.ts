import { readdirSync, readFileSync } from 'node:fs'
import { firstSentence } from './first-sentence.ts'

const ROOT = new URL('../', import.meta.url)

/** In the order in which a reader needs them; what is not named comes after, by its name. */
const SECTIONS = [
  ['Start', ['README.md', 'docs/cli.md', 'docs/emulator.md', 'docs/testing.md', 'docs/client.md']],
  ['Guides', pagesOf('docs/guides')],
  ['Reference', pagesOf('docs')],
  ['Checks', pagesOf('docs/checks')],
] as const

/** The list of the documentation, a line a page: its title and its first sentence. */
export function llmsText(): string {
  const seen = new Set<string>()
  const sections = SECTIONS.map(([title, pages]) => {
    const lines = pages.flatMap((page) => {
      if (seen.has(page)) return []
      seen.add(page)
      return [entry(page)]
    })
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# Sidecard\n\n> The kit for custom sidebar apps of a customer-support issue service: an endpoint framework, a typed client, an emulator, a checker and a scaffolder, in one TypeScript package. Every page is plain Markdown.\n\n${sections.join('\n')}`
}

function pagesOf(folder: string): readonly string[] {
  return readdirSync(new URL(`${folder}/`, ROOT))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`)
}

function entry(page: string): string {
  const text = readFileSync(new URL(page, ROOT), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? page
  const paragraph = text.split('\n\n').find((block) => /^[A-Z`[*]/.test(block)) ?? ''
  return `- [${title}](${page}): ${firstSentence(paragraph).replaceAll('\n', ' ')}`
}
