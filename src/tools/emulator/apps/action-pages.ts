import { isActionLink } from '../../internal/action-link.ts'
import { PAGE_STATE_APPLIED_HEADER, PAGE_STATE_HEADER } from '../../../runtime/internal/headers.ts'
import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import type { PageState } from '../../project/schema.ts'
import { listButtons } from '../../service/testing/action-page.ts'
import { sendAndRead } from '../../service/endpoint/exchange.ts'
import { resolveTarget } from '../../service/endpoint/target.ts'
import type { EmulatorContext } from '../core/context.ts'
import { randomToken } from '../core/ids.ts'
import type { ActionPageView } from '../protocol/actions.ts'
import type { WidgetView } from '../protocol/widgets.ts'
import { ACTION_PAGES } from '../protocol/workspace.ts'

const MAX_PAGES = 100
const MAX_BYTES = 262_144

/** The pages of actions that "All states" shows. */
export type ActionPages = ReturnType<typeof createActionPages>

/** Creates an empty store of the newest 100 pages of actions. */
export function createActionPages({ targets, fetch, timeoutMs, now }: EmulatorContext) {
  const pages = new Map<string, string>()

  function keep(html: string): string {
    const id = randomToken()
    pages.set(id, html)
    const [oldest = ''] = pages.keys()
    if (pages.size > MAX_PAGES) pages.delete(oldest)
    return ACTION_PAGES + id
  }

  async function requestPage(link: string, appId: string, state: PageState) {
    const target = targets.get(appId)
    const url = new URL(link)
    if (target === undefined && !isLoopback(url.hostname)) {
      return { path: null, unapplied: 'the page of this action is not on this machine' }
    }
    const { send } = resolveTarget(target ?? url, { fetch })
    const headers = { [PAGE_STATE_HEADER]: state }
    const limits = { timeoutMs, maxBodyBytes: MAX_BYTES, now, dev: true }
    const { response, failure } = await sendAndRead(url, { send, headers, ...limits })
    if (response?.text === undefined) {
      return { path: null, unapplied: failure?.message ?? 'the app sent no page' }
    }
    const isApplied = response.headers[PAGE_STATE_APPLIED_HEADER] === state
    const problem = `the app sent its page (HTTP ${response.status}) without this state, which requires SIDECARD_DEV=1`
    return { path: keep(response.text), unapplied: isApplied ? null : problem }
  }

  return {
    /** Returns a page by its ID. */
    get: (id: string) => pages.get(id),
    /** Requests the page of a button in a state. The page changes nothing. */
    async open(
      widgets: readonly WidgetView[],
      label: string,
      state: PageState,
    ): Promise<ActionPageView> {
      const actions = widgets.flatMap(({ appId, payload }) =>
        listButtons(payload?.components ?? [])
          .filter(({ url }) => isActionLink(url))
          .map((button) => ({ ...button, appId })),
      )
      const found = actions.find((button) => button.label === label)
      if (found !== undefined) {
        return { label, state, ...(await requestPage(found.url, found.appId, state)) }
      }
      const labels = actions.map((button) => JSON.stringify(button.label)).join(', ')
      const unapplied =
        labels === ''
          ? 'the sidebar has no action'
          : `the sidebar has no action with this label. Its actions are ${labels}`
      return { label, state, path: null, unapplied }
    },
  }
}
