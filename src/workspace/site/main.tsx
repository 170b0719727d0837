import { render } from 'preact'
import '../core/tokens.css'
import '../core/base.css'
import '../core/shared.css'
import { dismissOnNavigation } from '../core/notify.ts'
import { applyTheme, theme } from '../core/preferences.ts'
import { listenToAddress } from '../core/route.ts'
import { Toast } from '../parts/toast.tsx'
import { Playground } from '../playground/playground.tsx'
import style from './site.module.css'

/** The documentation site stores its switch for dark here: `auto`, `light` or `dark`. */
const SITE_THEME = 'vitepress-theme-appearance'

/** The playground as a page of the documentation site, without an emulator. */
function Page() {
  return (
    <>
      <header class={style.bar}>
        <a class={style.brand} href="../">
          Sidecard
        </a>
        <nav class={style.links} aria-label="Documentation">
          <a href="../get-started">Get started</a>
          <a href="../components">Components</a>
        </nav>
      </header>
      <Playground />
      <Toast />
    </>
  )
}

function siteTheme() {
  try {
    const stored = localStorage.getItem(SITE_THEME)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    // Storage is denied.
    return 'system'
  }
}

theme.value = siteTheme()
applyTheme()
listenToAddress()
dismissOnNavigation()
const root = document.getElementById('app')
if (root !== null) render(<Page />, root)
