import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, postcssIsolateStyles } from 'vitepress'
import { buildSitePlayground } from '../../scripts/build-ui.ts'
import { DOC_SECTIONS } from '../../scripts/doc-sections.ts'
import { renderSiteLlmsTxt } from '../../scripts/llms-text.ts'
import { addWidgetPictures, PICTURE_STYLE } from './widget-picture.ts'

const HERE = fileURLToPath(import.meta.url)
const DOCS = new URL('../../docs/', import.meta.url)
const PUBLIC = fileURLToPath(new URL('../public/', import.meta.url))

await buildSitePlayground(`${PUBLIC}playground-app`)

/** The first heading of a page. */
function titleOf(page: string): string {
  return /^# (.+)$/m.exec(readFileSync(new URL(page, DOCS), 'utf8'))?.[1] ?? page
}

const linkOf = (page: string) => `/${page.replace(/README\.md$/, '').replace(/\.md$/, '')}`

mkdirSync(PUBLIC, { recursive: true })
writeFileSync(`${PUBLIC}llms.txt`, renderSiteLlmsTxt(linkOf))

/** The home page: the list of pages in docs/README.md, below a title. */
const HOME = {
  layout: 'home',
  hero: {
    name: 'Sidecard',
    text: 'Custom sidebar apps for support issues',
    tagline: 'Show agents the customer they are talking to. In TypeScript, on Workers and Node.',
    actions: [
      { theme: 'brand', text: 'Get started', link: '/get-started' },
      { theme: 'alt', text: 'Components', link: '/components' },
      { theme: 'alt', text: 'Playground', link: '/playground' },
    ],
  },
}

/** Some colors of the theme have less contrast than WCAG requires. */
const CONTRAST_STYLE = `
:root { --vp-button-brand-bg: #3451b2; --vp-code-lang-color: #5c5c66; }
.dark { --vp-button-brand-bg: #3e63dd; --vp-code-lang-color: #a0a0ab; }
`

export default defineConfig({
  title: 'Sidecard',
  // A host can serve the site under a path.
  base: process.env['DOCS_BASE'] ?? '/',
  description: 'The kit for custom sidebar apps of a customer-support issue service.',
  srcDir: '../docs',
  rewrites: { 'README.md': 'index.md', 'checks/README.md': 'checks/index.md' },
  cleanUrls: true,
  // Otherwise, a page loads the scripts of all pages that it links to.
  router: { prefetchLinks: false },
  // The pages are plain Markdown. Some contain text that looks like a tag.
  markdown: {
    html: false,
    config: addWidgetPictures,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  head: [['style', {}, PICTURE_STYLE + CONTRAST_STYLE]],
  // These layouts of the theme have no main landmark. The playground has another one in its frame.
  transformHtml: (html, _id, { pageData }) =>
    ['index.md', 'playground.md'].includes(pageData.relativePath)
      ? html.replace('id="VPContent"', `id="VPContent" role="main" aria-label="${pageData.title}"`)
      : undefined,
  transformPageData: (page) => {
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, HOME)
    if (page.relativePath === 'playground.md')
      Object.assign(page.frontmatter, { layout: 'page', sidebar: false })
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'Get started', link: '/get-started' },
      { text: 'Components', link: '/components' },
      { text: 'Playground', link: '/playground' },
      { text: 'Rules', link: '/checks/' },
    ],
    sidebar: DOC_SECTIONS.map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => ({ text: titleOf(page), link: linkOf(page) })),
    })),
  },
  vite: {
    publicDir: PUBLIC,
    // The widgets have their own style.
    css: {
      postcss: { plugins: [postcssIsolateStyles({ includeFiles: [/vp-doc\.css/, /base\.css/] })] },
    },
    plugins: [
      {
        // The pages are outside of this folder, and no node_modules above them has Vue.
        name: 'vue-of-this-folder',
        enforce: 'pre',
        async resolveId(id, _importer, { ssr = false }) {
          if (id !== 'vue' && id !== 'vue/server-renderer') return null
          return ssr ? { id, external: true } : await this.resolve(id, HERE, { skipSelf: true })
        },
      },
    ],
  },
})
