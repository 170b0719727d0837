import type { Emulator } from '../../emulator/emulator.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import type { ExchangeGroup } from '../../emulator/protocol/exchanges.ts'

/**
 * Opens the newest issue as the first customer: that of the command line, or else
 * of the project. `subject` is another customer or a state.
 *
 * @returns the widgets of all apps; none if the data set has no issue
 */
export async function openFirstIssue(
  { issues, project }: Emulator,
  group?: ExchangeGroup,
  subject?: { readonly kind: 'customer' | 'state'; readonly name: string },
): Promise<readonly WidgetView[]> {
  const [issue] = issues.list()
  if (issue === undefined) return []
  const [customer] = project.customers()
  const { widgets } = await issues.open(issue.id, {
    ...(subject !== undefined
      ? { [subject.kind]: subject.name }
      : customer !== undefined && { customer: customer.name }),
    ...(group !== undefined && { group }),
  })
  return widgets
}
