import type { Message } from '../../contract/resources.ts'
import { USERS } from './people.ts'
import type { DatasetIssue } from './dataset.ts'

interface Written {
  readonly by: string
  readonly at: string
  readonly html: string
  readonly isPrivate?: boolean
  readonly files?: readonly string[]
}

type IssueOutline = Omit<DatasetIssue, 'messages' | 'created_at' | 'id'> & {
  readonly messages: readonly Written[]
}

/** Creates an issue from its outline. Its IDs are derived from its number. */
export function issue({ messages, ...outline }: IssueOutline): DatasetIssue {
  const id = `iss_${outline.number}`
  return {
    ...outline,
    id,
    created_at: messages[0]?.at ?? '2026-11-01T09:00:00Z',
    messages: messages.map((written, index) => message(id, index + 1, written)),
  }
}

function message(issueId: string, index: number, written: Written): Message {
  const { by, at, html, isPrivate = false, files = [] } = written
  const person = USERS.find(({ id }) => id === by)
  const email = person?.email ?? ''
  const isAgent = person?.role_id !== 'role_requester'
  const isMail = !isAgent || !isPrivate
  return {
    id: `msg_${issueId.slice(4)}_${index}`,
    thread_id: `thr_${issueId.slice(4)}`,
    timestamp: at,
    message_html: html,
    is_private: isPrivate,
    source: isPrivate ? 'note' : 'email',
    file_urls: [...files],
    author: {
      name: person?.name ?? '',
      avatar_url: '',
      ...(isAgent ? { user: { id: by, email } } : { contact: { id: by, email } }),
    },
    ...(isMail && {
      email_info: {
        from_email: email,
        to_emails: isAgent ? [] : ['support@tidepool.example'],
        cc_emails: [],
        bcc_emails: [],
      },
    }),
  }
}

/** Realistic issues. One has a message that tries to run a script. */
export const ISSUES: readonly DatasetIssue[] = [
  issue({
    number: 1042,
    title: 'Invoice shows the wrong plan after our upgrade',
    state: 'open',
    account_id: 'acc_northwind',
    requester_id: 'usr_maria',
    assignee_id: 'usr_ada',
    tag_ids: ['tag_billing', 'tag_urgent'],
    messages: [
      {
        by: 'usr_maria',
        at: '2026-11-20T08:12:00Z',
        html: '<p>Hello,</p><p>we moved to <strong>Business</strong> on Monday, but the invoice of today still says <em>Starter</em>:</p><ul><li>Invoice <code>#10482</code></li><li>Amount: € 1,249.00</li></ul><p>Could you correct it before our books close on Friday?</p><p>Kind regards<br>Maria Anders</p>',
        files: ['https://files.tidepool.example/invoice-10482.pdf'],
      },
      {
        by: 'usr_ada',
        at: '2026-11-20T08:40:00Z',
        html: '<p>Two upgrades in a day: the second invoice is the right one. Checking with Billing.</p>',
        isPrivate: true,
      },
      {
        by: 'usr_ada',
        at: '2026-11-20T09:05:00Z',
        html: '<p>Hello Maria,</p><p>thank you for the details. I am looking into it and will write again today.</p>',
      },
      {
        by: 'usr_maria',
        at: '2026-11-20T15:31:00Z',
        html: '<blockquote>I am looking into it and will write again today.</blockquote><p>Any news? Our card ends in 4242, in case it helps.</p>',
      },
    ],
  }),
  issue({
    number: 1041,
    title: 'Card declined, but the bank says everything is fine',
    state: 'waiting',
    account_id: 'acc_lumen',
    requester_id: 'usr_soren',
    assignee_id: 'usr_zoe',
    tag_ids: ['tag_billing'],
    messages: [
      {
        by: 'usr_soren',
        at: '2026-11-19T07:02:00Z',
        html: '<p>Hej! Our renewal failed twice: “insufficient funds”. The bank sees no attempt at all. What now?</p>',
      },
      {
        by: 'usr_zoe',
        at: '2026-11-19T09:47:00Z',
        html: '<p>Hej Søren, could you try once more from <a href="https://billing.tidepool.example/retry">this page</a>? I have unlocked it for you.</p>',
      },
    ],
  }),
  issue({
    number: 1040,
    title: 'エクスポートが途中で止まります',
    state: 'new',
    account_id: 'acc_koi',
    requester_id: 'usr_hanako',
    assignee_id: null,
    tag_ids: ['tag_api'],
    messages: [
      {
        by: 'usr_hanako',
        at: '2026-11-18T23:55:00Z',
        html: '<p>お世話になっております。CSV エクスポートが 60% で止まり、次のエラーが出ます。</p><pre>504 upstream timed out\n  at export/csv (job 7f3a)</pre><p>よろしくお願いいたします。</p>',
      },
    ],
  }),
  issue({
    number: 1039,
    title: 'لا يمكنني تسجيل الدخول (Error 403)',
    state: 'open',
    account_id: 'acc_noor',
    requester_id: 'usr_layla',
    assignee_id: 'usr_nour',
    tag_ids: ['tag_urgent'],
    messages: [
      {
        by: 'usr_layla',
        at: '2026-11-18T11:20:00Z',
        html: '<p dir="rtl">مرحبًا، منذ أمس لا أستطيع تسجيل الدخول. تظهر الرسالة <code>403 Forbidden</code>.</p>',
      },
      {
        by: 'usr_nour',
        at: '2026-11-18T11:58:00Z',
        html: '<p dir="rtl">أهلًا ليلى، تم إصلاح المشكلة. جربي مرة أخرى من فضلك.</p>',
      },
    ],
  }),
  issue({
    number: 1038,
    title: '🎉🎉 Love the new editor!! One tiny wish 👩‍👩‍👧‍👦',
    state: 'open',
    account_id: 'acc_foxglove',
    requester_id: 'usr_fox',
    assignee_id: 'usr_bjorn',
    tag_ids: ['tag_vip'],
    messages: [
      {
        by: 'usr_fox',
        at: '2026-11-17T16:00:00Z',
        html: '<p>🦊💚 It is SO good. Could it also do <s>coffee</s> dark mode? 🌙</p>',
      },
    ],
  }),
  issue({
    number: 1037,
    title: 'My name is rejected as "empty"',
    state: 'waiting',
    account_id: 'acc_null',
    requester_id: 'usr_jennifer',
    assignee_id: 'usr_li',
    tag_ids: [],
    messages: [
      {
        by: 'usr_jennifer',
        at: '2026-11-16T10:10:00Z',
        html: '<p>Your form says that my last name may not be empty. It is “Null”. It happens a lot.</p><p>Robert’); DROP TABLE users;-- is my cousin.</p>',
      },
    ],
  }),
  issue({
    number: 1036,
    title: 'Mail with active content (must show as plain text)',
    state: 'closed',
    account_id: null,
    requester_id: 'usr_x',
    assignee_id: 'usr_bjorn',
    tag_ids: [],
    messages: [
      {
        by: 'usr_x',
        at: '2026-11-15T03:33:00Z',
        html: '<p onclick="alert(1)">You have won.</p><script>alert(document.domain)</script><img src="https://tracker.example/pixel.gif" onerror="alert(2)"><p><a href="javascript:alert(3)">Claim it here</a></p>',
      },
    ],
  }),
  issue({
    number: 1035,
    title:
      'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz: does your archive keep documents with very long titles for ten years?',
    state: 'closed',
    account_id: 'acc_donau',
    requester_id: 'usr_maximilian',
    assignee_id: 'usr_zoe',
    tag_ids: ['tag_renewal', 'tag_vip'],
    messages: [
      {
        by: 'usr_maximilian',
        at: '2026-11-12T13:00:00Z',
        html: '<p>Sehr geehrte Damen und Herren, bitte bestätigen Sie die Aufbewahrungsfrist. Unser Aktenzeichen lautet https://archiv.donau.example/akten/2026/11/12/0000000000000000000000000000000000000000000000000000000000000000000001.</p>',
      },
      {
        by: 'usr_zoe',
        at: '2026-11-12T14:20:00Z',
        html: '<p>Dear Mr von und zu Hohenstein, yes: ten years, titles included.</p>',
      },
    ],
  }),
]
