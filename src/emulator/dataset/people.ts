import type { Team, User } from '../../contract/resources.ts'
import type { Account } from './dataset.ts'

/**
 * Customers with realistic names: non-ASCII letters, emoji, quotes, right-to-left
 * text, and a very long name.
 */
export const ACCOUNTS: readonly Account[] = [
  { id: 'acc_northwind', name: 'Northwind Traders' },
  { id: 'acc_lumen', name: 'Lumen & Søn' },
  { id: 'acc_koi', name: 'Koi 鯉 Studio' },
  { id: 'acc_noor', name: 'مؤسسة النور' },
  { id: 'acc_foxglove', name: '🦊 Foxglove 🌿' },
  { id: 'acc_null', name: 'Null & Sons, “Undefined” Ltd.' },
  {
    id: 'acc_donau',
    name: 'Erste Donau-Dampfschifffahrtsgesellschaft und Söhne Beteiligungsverwaltung',
  },
]

function agent(id: string, name: string, mailbox: string, role: string): User {
  return user(id, name, `${mailbox}@tidepool.example`, role)
}

function user(id: string, name: string, email: string, role_id = 'role_requester'): User {
  return { id, name, email, emails: [email], avatar_url: '', role_id, status: 'active' }
}

/** The agents of all data sets except the empty one. */
export const AGENTS: readonly User[] = [
  agent('usr_ada', 'Ada Okafor', 'ada', 'role_admin'),
  agent('usr_bjorn', 'Björn Ångström', 'bjorn', 'role_agent'),
  agent('usr_zoe', 'Zoë D’Arcy-O’Neill', 'zoe', 'role_agent'),
  agent('usr_li', '李小龍', 'li.xiaolong', 'role_agent'),
  agent('usr_nour', 'نور السيد', 'nour', 'role_lead'),
  { ...agent('usr_gone', 'Sam (left in May)', 'sam', 'role_agent'), status: 'deactivated' },
]

/** The agents, followed by the requesters. */
export const USERS: readonly User[] = [
  ...AGENTS,
  user('usr_maria', 'Maria Anders', 'maria.anders@northwind.example'),
  user('usr_thomas', 'Thomas Hardy', 'thomas+orders@northwind.example'),
  user('usr_soren', 'Søren Kjærgård', 'soren@lumen.example'),
  user('usr_hanako', '鈴木 花子', 'hanako.suzuki@koi.example'),
  user('usr_layla', 'ليلى الحسن', 'layla@noor.example'),
  user('usr_fox', '🦊', 'hello@foxglove.example'),
  {
    ...user('usr_jennifer', 'Jennifer Null', 'null@null-and-sons.example'),
    emails: ['null@null-and-sons.example', 'jennifer.null@null-and-sons.example'],
  },
  user(
    'usr_maximilian',
    'Maximilian-Ferdinand von und zu Hohenstein-Lichtenberg-Waldburg',
    'maximilian-ferdinand.von.und.zu.hohenstein-lichtenberg@donau.example',
  ),
  user('usr_x', 'X', 'x@x.example'),
]

const members = (...ids: readonly string[]) =>
  ids.flatMap((id) => {
    const found = USERS.find((each) => each.id === id)
    return found === undefined ? [] : [{ id, email: found.email ?? '' }]
  })

export const TEAMS: readonly Team[] = [
  { id: 'team_billing', name: 'Billing', users: members('usr_ada', 'usr_zoe') },
  { id: 'team_support', name: 'Support', users: members('usr_bjorn', 'usr_zoe', 'usr_li') },
  { id: 'team_arabic', name: 'الدعم', users: members('usr_nour') },
  { id: 'team_night', name: 'Night shift 🌙', users: [] },
]
