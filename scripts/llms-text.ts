import { readdirSync, readFileSync } from 'node:fs'
import { firstSentence } from './first-sentence.ts'

const ROOT = new URL('../', import.meta.url)

/** The sections in reading order. Folders are sorted by name. */
const SECTIONS = [
  ['Start', ['README.md', 'docs/cli.md', 'docs/emulator.md', 'docs/testing.md', 'docs/client.md']],
  ['Guides', listPages('docs/guides')],
  ['Reference', listPages('docs')],
  // All rules have one line, because the index page lists them and the CLI prints their pages.
  ['Checks', ['docs/checks/README.md', 'docs/checks/github-actions.md']],
] as const

const INTRODUCTION =
  'A TypeScript kit for custom sidebar apps of a customer-support issue service: an endpoint framework, caches, a typed API client, an emulator, a contract checker and a scaffolder, in one package. Every page is plain Markdown.'

/** Renders llms.txt: one line per page, with its title and its first sentence. */
export function renderLlmsTxt(): string {
  const seen = new Set<string>()
  const sections = SECTIONS.map(([title, pages]) => {
    const lines = pages.flatMap((page) => {
      if (seen.has(page)) return []
      seen.add(page)
      return [renderEntry(page)]
    })
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# Sidecard\n\n> ${INTRODUCTION}\n\n${sections.join('\n')}`
}

function listPages(folder: string): readonly string[] {
  return readdirSync(new URL(`${folder}/`, ROOT))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`)
}

function renderEntry(page: string): string {
  const text = readFileSync(new URL(page, ROOT), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? page
  const paragraph = text.split('\n\n').find((block) => /^[A-Z`[*]/.test(block)) ?? ''
  const sentence = firstSentence(paragraph)
    .replaceAll('\n', ' ')
    // A link of the page would start at another folder here.
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '')
  return `- [${title}](${page}): ${sentence}`
}
