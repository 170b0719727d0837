import type { Emulator } from '../../emulator/emulator.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import type { ExchangeGroup } from '../../emulator/protocol/exchanges.ts'

/**
 * Opens the newest issue as an agent does, with the IDs from the command line if
 * there are any.
 *
 * @returns the widget of the app, or `undefined` if the data set has no issue
 */
export async function openFirstIssue(
  { issues, presets }: Emulator,
  appId: string,
  group?: ExchangeGroup,
): Promise<WidgetView | undefined> {
  const [issue] = issues.list()
  if (issue === undefined) return undefined
  const preset = presets.list().find(({ source }) => source === 'command')
  const { widgets } = await issues.open(issue.id, {
    ...(preset !== undefined && { preset: preset.id }),
    ...(group !== undefined && { group }),
  })
  return widgets.find((widget) => widget.appId === appId)
}
