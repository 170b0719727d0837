import type { AppUpdate, AppInput, AppView } from '../../emulator/protocol/workspace.ts'

/** One header of the form. The values of existing headers are not available in the browser. */
export interface HeaderDraft {
  readonly name: string
  readonly value: string
  /** Whether the app already has the header, which keeps its value unless a new one is entered. */
  readonly isKept: boolean
}

/** The values in the form. */
export interface AppDraft {
  readonly name: string
  readonly url: string
  readonly headers: readonly HeaderDraft[]
  readonly widgets: readonly string[]
}

/** Returns the form values of an app, or of a new one. */
export function toDraft(app: AppView | undefined): AppDraft {
  return {
    name: app?.name ?? '',
    url: app?.url ?? '',
    headers: (app?.headerNames ?? []).map((name) => ({ name, value: '', isKept: true })),
    widgets: app?.widgets.map(({ name }) => name) ?? [''],
  }
}

/** Converts the form values to the input for a new app. */
export function toInput({ name, url, headers, widgets }: AppDraft): AppInput {
  const namedHeaders = headers.filter((header) => header.name.trim() !== '')
  const names = widgets.map((widget) => widget.trim()).filter(Boolean)
  return {
    name: name.trim(),
    url: url.trim(),
    ...(namedHeaders.length > 0 && {
      headers: Object.fromEntries(namedHeaders.map((header) => [header.name.trim(), header.value])),
    }),
    ...(names.length > 0 && { widgets: names }),
  }
}

/** Returns only the changes, so that an unedited header keeps its value. */
export function toUpdate(app: AppView, draft: AppDraft): AppUpdate {
  const { name, url, widgets = [] } = toInput(draft)
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
