import { computed } from '@preact/signals'
import { workspace } from '../core/workspace.ts'
import { NORMAL, requestAs, type RequestAs, requestKey } from './request-as.ts'

/** A customer or a state of the project, as a choice. */
export interface RequestChoice {
  readonly key: string
  readonly name: string
  readonly group: 'Customers' | 'States'
  /** The place in the file, such as `sidecard.json:12`. */
  readonly place: string
  readonly request: RequestAs
}

/** The customers and states of the project, in the order of the menu. */
export const requestChoices = computed<readonly RequestChoice[]>(() => {
  const { customers = [], states = [] } = workspace.value ?? {}
  const choose = (kind: 'customer' | 'state', { name, place }: { name: string; place: string }) => {
    const request: RequestAs = { ...NORMAL, subject: { kind, name } }
    const group = kind === 'customer' ? ('Customers' as const) : ('States' as const)
    return { key: requestKey(request), name, group, place, request }
  }
  return [
    ...customers.map((customer) => choose('customer', customer)),
    ...states.map((state) => choose('state', state)),
  ]
})

/** The current choice; undefined for the issue's own customer, and for custom IDs. */
export const currentChoice = computed(() =>
  requestChoices.value.find(({ key }) => key === requestKey(requestAs.value)),
)
