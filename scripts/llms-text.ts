import { readFileSync } from 'node:fs'
import { DOC_SECTIONS } from './doc-sections.ts'
import { firstSentence } from './first-sentence.ts'

const ROOT = new URL('../', import.meta.url)

const INTRODUCTION =
  'A TypeScript kit for custom sidebar apps of a customer-support issue service: an endpoint framework, caches, a typed API client, an emulator, a contract checker and a scaffolder, in one package.'

/** Renders llms.txt of the package: one line per page, with its title and its first sentence. */
export function renderLlmsTxt(): string {
  const readme = `${renderEntry('README.md', 'README.md')}\n\n`
  return `# Sidecard\n\n> ${INTRODUCTION}\n\n${readme}${renderSections((page) => `docs/${page}`)}`
}

/** Renders llms.txt of the site, whose pages have other links. */
export function renderSiteLlmsTxt(linkOf: (page: string) => string): string {
  return `# Sidecard\n\n> ${INTRODUCTION}\n\n${renderSections(linkOf)}`
}

/** Renders docs/README.md: the titles of the same pages, which is the first page of the site. */
export function renderDocsIndex(): string {
  return `# Documentation\n\n[Get started](get-started.md) takes you from nothing to a deployed sidebar with your own data.\n\n${DOC_SECTIONS.map(({ title, pages }) => `## ${title}\n\n${pages.map((page) => `- [${titleOf(page)}](${page})`).join('\n')}\n`).join('\n')}`
}

function titleOf(page: string): string {
  return /^# (.+)$/m.exec(readFileSync(new URL(`docs/${page}`, ROOT), 'utf8'))?.[1] ?? page
}

function renderSections(linkOf: (page: string) => string): string {
  return DOC_SECTIONS.map(({ title, pages }) => {
    const lines = pages.map((page) => renderEntry(`docs/${page}`, linkOf(page)))
    return `## ${title}\n\n${lines.join('\n')}\n`
  }).join('\n')
}

function renderEntry(page: string, link: string): string {
  const text = readFileSync(new URL(page, ROOT), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? page
  const paragraph = text.split('\n\n').find((block) => /^[A-Z`[*]/.test(block)) ?? ''
  const sentence = firstSentence(paragraph)
    .replaceAll('\n', ' ')
    // A link of the page would start at another folder here.
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '')
  return `- [${title}](${link}): ${sentence}`
}
