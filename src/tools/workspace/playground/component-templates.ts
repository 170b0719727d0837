import type { Component } from '../../../runtime/contract/generated/types.ts'

const BY_TYPE = {
  card: { type: 'card', header: { title: 'Card' }, components: [] },
  text: { type: 'text', label: 'Label', value: 'Value' },
  date_time: { type: 'date_time', label: 'Date', value: '2027-03-01T09:00:00Z' },
  badge: { type: 'badge', label: 'Status', items: [{ value: 'Active', color: 'green' }] },
  button: { type: 'button', label: 'Open', button_type: 'link', url: 'https://example.com/' },
  link: { type: 'link', label: 'Link', url: 'https://example.com/' },
  divider: { type: 'divider' },
} as const satisfies { readonly [Type in Component['type']]: Component & { readonly type: Type } }

/** A valid component of each type, in the order of the insert menu. */
export const COMPONENT_TEMPLATES: readonly Component[] = Object.values(BY_TYPE)
