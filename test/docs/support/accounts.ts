import { text } from 'sidecard'

export interface Account {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly seats: number
  readonly mrrCents: number
  readonly renewsAt: Date
  readonly status: 'active' | 'past_due' | 'canceled'
  readonly adminUrl: string
}

const ACME: Account = {
  id: 'acme',
  name: 'Acme',
  plan: 'Pro',
  seats: 12,
  mrrCents: 129_900,
  renewsAt: new Date('2027-03-01T09:00:00Z'),
  status: 'active',
  adminUrl: 'https://admin.example.com/accounts/acme',
}

export async function findAccount(id: string): Promise<Account | undefined> {
  return id === ACME.id ? ACME : undefined
}

export async function findAccountsByEmail(email: string): Promise<Account[]> {
  return email === 'jane@acme.example' ? [ACME] : []
}

export async function loadErrors(id: string, signal: AbortSignal) {
  signal.throwIfAborted()
  return [text({ label: 'Errors today', value: `none for ${id}` })]
}
