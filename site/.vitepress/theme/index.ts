/// <reference types="vite/client" />
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import dark from '../../../docs/images/workspace-dark.png'
import light from '../../../docs/images/workspace-light.png'
import { LiveWidget } from './live-widget.ts'
import { Playground } from './playground.ts'
import './style.css'

const ALT = 'The workspace: a list of issues, a conversation, and a sidebar with two widgets'

/** What Sidecard is, next to a picture of it. */
function Introduction() {
  return h('section', { class: 'introduction' }, [
    h('p', [
      'When a support agent opens an issue, the service calls your endpoint, and shows your customer next to it. ',
      'Sidecard handles the handshake, authentication, validation, timeouts and failures. ',
      h('code', 'npm run dev'),
      ' shows the sidebar as an agent sees it, and reloads it when you save.',
    ]),
    h('img', {
      class: 'if-light',
      src: light,
      alt: ALT,
      width: 2560,
      height: 1600,
      loading: 'lazy',
    }),
    h('img', { class: 'if-dark', src: dark, alt: ALT, width: 2560, height: 1600, loading: 'lazy' }),
  ])
}

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-after': () => [h(LiveWidget), h(Introduction)],
      'page-top': () => h(Playground),
    }),
}
