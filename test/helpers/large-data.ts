import type { Emulator, Snapshot } from 'sidecard/emulator'

const USERS = 1_234
const TAGS = 260
const TEAMS = 101
const ISSUES = 400

type Document = Snapshot['documents'][number]

/** Adds data whose lists have many pages to an emulator with the built-in data. */
export function addLargeData(emulator: Emulator): Emulator {
  const { documents } = emulator.snapshot()
  const listed = (kind: string) => documents.filter((each) => each.kind === kind)
  const extend = (kind: string, size: number, make: (index: number) => object): Document[] => {
    const [first] = listed(kind)
    return Array.from({ length: size - listed(kind).length }, (_, index) => {
      const body = { ...(first?.body as object), ...make(index + 1) } as { readonly id: string }
      return { kind, parent: '', id: body.id, body }
    })
  }
  const added = [
    ...extend('user', USERS, (index) => ({
      id: `usr_large_${index}`,
      name: `Person ${index}`,
      email: `person.${index}@large.example`,
      emails: [`person.${index}@large.example`],
    })),
    ...extend('tag', TAGS, (index) => ({ id: `tag_large_${index}`, value: `tag ${index}` })),
    ...extend('team', TEAMS, (index) => ({
      id: `team_large_${index}`,
      name: `Team ${index}`,
      users: [],
    })),
    ...extend('issue', ISSUES, (index) => ({
      id: `iss_${1_000 - index}`,
      number: 1_000 - index,
      title: `Question ${index} of the large data set`,
      state: 'closed',
      created_at: '2026-10-01T09:00:00Z',
    })),
  ]
  emulator.restore({ documents: [...documents, ...added] })
  return emulator
}
