import { render } from 'preact'
import '../core/styles/tokens.css'
import '../core/styles/base.css'
import '../core/styles/shared.css'
import { dismissOnNavigation } from '../core/notify.ts'
import { applyTheme, theme } from '../core/preferences.ts'
import { linkPage } from '../core/permalink.ts'
import { listenToAddress } from '../core/route.ts'
import { Toast } from '../parts/toast.tsx'
import { Playground } from '../playground/playground.tsx'

/** The key under which the documentation site stores its theme: `auto`, `light` or `dark`. */
const SITE_THEME = 'vitepress-theme-appearance'

/** The playground inside a page of the documentation site, without an emulator. */
function Page() {
  return (
    <>
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

const followSite = () => {
  theme.value = siteTheme()
}
followSite()
addEventListener('storage', followSite)
linkPage.url = () => parent.location.href
applyTheme()
listenToAddress()
dismissOnNavigation()
const root = document.getElementById('app')
if (root !== null) render(<Page />, root)
