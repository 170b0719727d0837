import { type ComponentChildren, h, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { Icon } from '../parts/forms/icon.tsx'
import style from './message.module.css'

/** The elements of a message that are rendered. Other elements are replaced by their children. */
const ALLOWED = new Set(
  'a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li ol p pre q s small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  ),
)

/** The elements whose content is not text for a reader. */
const DROPPED = new Set(
  'script style template iframe object embed noscript noembed noframes svg math title head audio video canvas textarea select'.split(
    ' ',
  ),
)

const MAX_DEPTH = 60

interface Policy {
  readonly createHTML: (html: string) => string
}

interface TrustedTypes {
  readonly createPolicy: (name: string, rules: Policy) => Policy
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }

/**
 * Marks HTML as trusted, because it is only parsed into a separate document, in
 * which nothing runs or loads.
 */
const policy: Policy = trustedTypes?.createPolicy('sidecard', { createHTML: (html) => html }) ?? {
  createHTML: (html) => html,
}

/**
 * Renders untrusted HTML as structured text. The only attribute that is kept is
 * the URL of a link.
 */
export function SafeHtml({ html }: { readonly html: string }) {
  const content = useMemo(() => {
    const parsed = new DOMParser().parseFromString(policy.createHTML(html), 'text/html')
    return renderChildren(extractBody(parsed), 0)
  }, [html])
  return (
    <div class={style.html} dir="auto">
      {content}
    </div>
  )
}

/**
 * Returns the body without forms. Named elements such as `<img name=body>` shadow
 * properties of a document or a form, so this function uses the prototypes. The
 * code below does not need to.
 */
function extractBody(parsed: Document): Element {
  for (const form of Document.prototype.querySelectorAll.call(parsed, 'form')) {
    const content = document.createRange()
    content.selectNodeContents(form)
    const plain = document.createElement('div')
    plain.append(content.extractContents())
    Element.prototype.replaceWith.call(form, plain)
  }
  return Document.prototype.querySelector.call(parsed, 'body') ?? document.createElement('body')
}

function renderChildren(parent: Element, depth: number): ComponentChildren[] {
  if (depth > MAX_DEPTH) return [parent.textContent]
  return [...parent.childNodes].map((node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent
    return node instanceof Element ? element(node, depth) : null
  })
}

function element(node: Element, depth: number): ComponentChildren {
  const name = node.localName
  if (DROPPED.has(name)) return null
  if (name === 'img') return <Picture name={node.getAttribute('alt')} />
  const children = renderChildren(node, depth + 1)
  if (!ALLOWED.has(name)) return children
  if (name === 'a') return anchor(node.getAttribute('href'), children)
  // Headings in a message must not become headings of the page.
  if (/^h[1-6]$/.test(name)) return <p class="strong">{children}</p>
  return h(name, null, name === 'br' || name === 'hr' ? undefined : children) as VNode
}

function anchor(href: string | null, children: ComponentChildren[]): ComponentChildren {
  if (href === null || !/^(?:https?:\/\/|mailto:)/i.test(href.trim()))
    return <span>{children}</span>
  return (
    <a href={href.trim()} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

/**
 * A placeholder for a picture. It is not loaded, because that would tell the
 * sender that the message was read.
 */
function Picture({ name }: { readonly name: string | null }) {
  return (
    <span class={style['blocked-image']}>
      <Icon name="image" />
      {name ? `Image not loaded: ${name}` : 'Image not loaded'}
    </span>
  )
}
