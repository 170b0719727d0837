import type { AppChange, AppInput, AppView } from '../../protocol.ts'

/** One header of the form. The values of headers that the app has already are never known here. */
export interface HeaderDraft {
  readonly key: number
  readonly name: string
  readonly value: string
  /** The app has it: it keeps its value until another is given. */
  readonly isKept: boolean
}

/** What stands in the form. */
export interface AppDraft {
  readonly name: string
  readonly url: string
  readonly headers: readonly HeaderDraft[]
  readonly widgets: readonly string[]
}

/** The form of an app, or of a new one. */
export function draftOf(app: AppView | undefined): AppDraft {
  return {
    name: app?.name ?? '',
    url: app?.url ?? '',
    headers: (app?.headerNames ?? []).map((name, key) => ({ key, name, value: '', isKept: true })),
    widgets: app?.widgets.map(({ name }) => name) ?? [''],
  }
}

/** What a new app is created with. */
export function inputOf({ name, url, headers, widgets }: AppDraft): AppInput {
  const given = headers.filter((header) => header.name.trim() !== '')
  const names = widgets.map((widget) => widget.trim()).filter(Boolean)
  return {
    name: name.trim(),
    url: url.trim(),
    ...(given.length > 0 && {
      headers: Object.fromEntries(given.map((header) => [header.name.trim(), header.value])),
    }),
    ...(names.length > 0 && { widgets: names }),
  }
}

/** Only what is not as it was, so that a header that nobody touched keeps its value. */
export function changeOf(app: AppView, draft: AppDraft): AppChange {
  const { name, url, widgets = [] } = inputOf(draft)
  const headers: Record<string, string | null> = {}
  for (const old of app.headerNames) {
    if (!draft.headers.some((header) => header.isKept && header.name === old)) headers[old] = null
  }
  for (const header of draft.headers) {
    if (!header.isKept && header.name.trim() !== '') headers[header.name.trim()] = header.value
  }
  const isSame = widgets.join('\n') === app.widgets.map((widget) => widget.name).join('\n')
  return {
    ...(name !== app.name && { name }),
    ...(url !== app.url && { url }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(!isSame && widgets.length > 0 && { widgets }),
  }
}
