import type { Dataset } from './dataset.ts'

const USERS = 1_234
const TAGS = 260
const TEAMS = 101
const ISSUES = 400

const times = <Item>(count: number, make: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => make(index + 1))

/** Returns a data set whose lists have many pages. */
export function largeDataset(base: Dataset): Dataset {
  // The requester of the first issue writes all of the others.
  const { requester_id, messages } = base.issue[0]!
  const question = messages.find(({ author }) => author.contact?.id === requester_id)!
  return {
    ...base,
    user: [
      ...base.user,
      ...times(USERS - base.user.length, (index) => {
        const email = `person.${index}@large.example`
        return {
          id: `usr_large_${index}`,
          name: `Person ${index}`,
          email,
          emails: [email],
          avatar_url: '',
          role_id: 'role_requester',
          status: 'active',
        }
      }),
    ],
    tag: [
      ...base.tag,
      ...times(TAGS - base.tag.length, (index) => ({
        id: `tag_large_${index}`,
        value: `tag ${index}`,
        hex_color: `#${((index * 2_654_435) % 0xffffff).toString(16).padStart(6, '0')}`,
        object_type: 'issue',
      })),
    ],
    team: [
      ...base.team,
      ...times(TEAMS - base.team.length, (index) => ({
        id: `team_large_${index}`,
        name: `Team ${index}`,
        users: [],
      })),
    ],
    issue: [
      ...base.issue,
      ...times(ISSUES - base.issue.length, (index) => {
        const number = 1_000 - index
        const created_at = '2026-10-01T09:00:00Z'
        return {
          id: `iss_${number}`,
          number,
          title: `Question ${index} of the large data set`,
          state: 'closed' as const,
          account_id: base.account[index % base.account.length]?.id ?? null,
          requester_id,
          assignee_id: null,
          tag_ids: [],
          created_at,
          messages: [
            {
              ...question,
              id: `msg_${number}_1`,
              thread_id: `thr_${number}`,
              timestamp: created_at,
              message_html: `<p>Question ${index}?</p>`,
              file_urls: [],
            },
          ],
        }
      }),
    ],
  }
}
