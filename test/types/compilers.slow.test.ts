import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

const COMPILERS = [
  ['5.9', 'typescript-5/bin/tsc'],
  ['6', 'typescript-6/bin/tsc'],
  ['7', 'typescript/bin/tsc'],
] as const

const IMPORTS = `import { badge, card, type CardItem, divider, type FetchDataResult, fields, identify, link, money, noAuth, payload, section, sidecard, status, text } from 'sidecard'
const header = { title: 'Billing' }
`

const ACTION = `import { action, actions, anyAgent, memoryReceipts, numberField } from 'sidecard/actions'
import { z } from 'zod'
const extendTrial = action<{ DB: string }>()({
  name: 'extend-trial', label: 'Extend trial', input: z.object({ accountId: z.string() }),
  show: () => null, run: () => undefined,
})
`

/** A typical mistake, and the expected message of the compiler. */
const MISTAKES: Readonly<Record<string, { code: string; message: RegExp }>> = {
  'a-card-in-a-card': {
    code: 'card({ components: [card({ components: [] })] })',
    message: /A card cannot contain a card\. Return it next to this one\./,
  },
  'a-literal-card-in-a-card': {
    code: "card({ components: [{ type: 'card', components: [] }] })",
    message: /A card cannot contain a card\. Return it next to this one\./,
  },
  'a-card-among-mapped-components': {
    code: 'card({ components: [1, 2].map(() => card({ components: [] })) })',
    message: /A card cannot contain a card\. Return it next to this one\./,
  },
  'a-promise-in-a-card': {
    code: 'card({ components: [Promise.resolve(divider())] })',
    message: /Type 'Promise<Divider>' is not assignable/,
  },
  'a-section-in-a-section': {
    code: "section('Errors', () => [section('More', () => [])])",
    message: /A section cannot contain a section\. Return it next to this one\./,
  },
  'a-card-in-a-section': {
    code: "section('Errors', () => [[card({ components: [] })]])",
    message: /A card cannot contain a card\. Return it next to this one\./,
  },
  'a-component-without-label': {
    code: "export const a: FetchDataResult = [{ type: 'text', value: 'b' }]",
    message: /Property 'label' is missing in type/,
  },
  'a-number-as-child': {
    code: 'sidecard({ header, auth: noAuth(), fetchData: async () => [[7]] })',
    message: /Type '7' is not assignable to type 'Child'/,
  },
  'components-instead-of-fields': {
    code: 'card([divider()])',
    message: /Property 'components' is missing in type 'Divider\[\]'/,
  },
  'a-forgotten-return-in-a-section': {
    code: "section('Errors', () => { text({ label: 'a', value: 'b' }) })",
    message: /Type 'void' is not assignable to type/,
  },
  'an-action-without-its-input': {
    code: `${ACTION}extendTrial.button({})`,
    message: /Property 'accountId' is missing in type/,
  },
  'an-action-of-other-bindings': {
    code: `${ACTION}export const other = actions<{ KV: number }>({
  list: [extendTrial], secret: '', signIn: anyAgent(), receipts: memoryReceipts(),
})`,
    message: /is not assignable to type 'Action</,
  },
  'a-form-value-of-another-type': {
    code: `${ACTION}action()({
  name: 'a', label: 'A', input: z.object({}), form: { days: numberField({ label: 'Days' }) },
  show: () => null, run: (_ctx, _input, { days }) => text({ label: 'Days', value: days }),
})`,
    message: /Type 'number' is not assignable to type 'string'/,
  },
  'a-number-as-text': {
    code: "text({ label: 'Seats', value: 7 })",
    message: /Type 'number' is not assignable to type 'string'/,
  },
  'a-second-argument': {
    code: "link({ label: 'a', url: 'https://example.com' }, { uriSchemes: ['https'] })",
    message: /Expected 1 arguments, but got 2/,
  },
  'a-wrong-color': {
    code: "badge({ label: 'Status', items: [{ value: 'Open', color: 'grey' }] })",
    message: /Type '"grey"' is not assignable to type '.*"gray".*'/,
  },
  'a-forgotten-return': {
    code: "sidecard({ header, auth: noAuth(), fetchData: async () => { text({ label: 'a', value: 'b' }) } })",
    message: /Type 'Promise<void>' is not assignable to type/,
  },
  'an-unknown-option': {
    code: 'sidecard({ header, auth: noAuth(), fetchData: () => [], timeout: 5000 })',
    message:
      /'timeout' does not exist in type 'SidecardOptions|Did you mean to write 'timeoutMs'\?/,
  },
  'a-misspelled-field': {
    code: "text({ label: 'Plan', value: 'Pro', iconUrl: 'https://example.com/i.png' })",
    message: /'iconUrl' does not exist in type .*|Did you mean to write 'icon_url'\?/,
  },
  'a-misspelled-lookup': {
    code: "sidecard({ header, auth: noAuth(), fetchData: async (ctx) => { const { via } = await identify(ctx, { acount_id: (id: string) => id }); return [text({ label: 'a', value: via })] } })",
    message: /acount_id/,
  },
  'use-on-the-app': {
    code: 'sidecard({ header, auth: noAuth(), fetchData: () => [] }).use(async () => {})',
    message: /This expression is not callable/,
  },
}

/** Typical programs, which every supported compiler must accept. */
const PROGRAM = `${IMPORTS}
export const results: FetchDataResult[] = [divider(), null, false, [undefined], section('a', () => null)]
export const whole: FetchDataResult = payload({ header, components: [[section('a', () => null)], Promise.resolve([divider()])] })
export const single = section('Plan', async () => text({ label: 'a', value: 'b' }))
interface Env { SIDECARD_SECRET?: string }
interface Account { name: string; plan: string; seats: number; status: 'active' | 'past_due'; mrrCents: number; renewsAt: Date | null }
declare function byId(id: string): Promise<Account | undefined>
declare function byEmail(email: string): Promise<Account[]>
import { secretHeader } from 'sidecard'
export default sidecard<Env>({
  header,
  auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
  async fetchData(ctx) {
    const { value: account, via } = await identify(ctx, { account_id: (id) => byId(id), requester_email: byEmail })
    return [
      card({
        header: { title: account.name },
        components: [
          ...fields({ Plan: account.plan, Seats: account.seats, MRR: money(account.mrrCents, 'EUR'), Renews: account.renewsAt }),
          badge({ label: 'Status', items: [status(account.status, { active: 'green', past_due: 'orange' })] }),
          via === 'account_id' && text({ label: 'Match', value: 'exact' }),
        ],
      }),
      card({
        components: [
          [text({ label: 'Seats', value: '7' }), [divider(), false, null, undefined, '', 0]],
          ...[account].flatMap((one): CardItem[] => one.seats > 1 ? [text({ label: 'a', value: 'b' }), divider()] : [badge({ label: 'a', items: [] })]),
        ],
      }),
      undefined,
      Promise.resolve([divider(), false]),
      ['a', 'b'].map((name) => section(name, async () => [[text({ label: 'a', value: 'b' }), Promise.resolve(divider())]])),
      via === 'account_id' && [section('a', () => null), [Promise.resolve([section('b', () => divider())])]],
      ['a'].map(async (name) => section(name, () => null)),
      section('Recent errors', async (signal) => [text({ label: 'Aborted', value: String(signal.aborted) })], { timeoutMs: 1500 }),
    ]
  },
})
`

async function compile(compiler: string, files: Readonly<Record<string, string>>): Promise<string> {
  mkdirSync(join(root, '.scratch'), { recursive: true })
  const folder = mkdtempSync(join(root, '.scratch/types-'))
  try {
    for (const [name, code] of Object.entries(files)) {
      writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {}\n`)
    }
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { rootDir: root, noUnusedLocals: false },
      include: ['.'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules', compiler)
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.each(COMPILERS)(
  'TypeScript %s accepts typical code and explains typical mistakes',
  async (_version, compiler) => {
    const mistakes = Object.entries(MISTAKES).map(
      ([name, { code }]) => [name, `${IMPORTS}${code}`] as const,
    )
    const output = await compile(compiler, { program: PROGRAM, ...Object.fromEntries(mistakes) })
    const errors = output.split(/^(?=\S)/m)
    const findErrors = (name: string) => errors.filter((error) => error.includes(`${name}.ts(`))
    expect(findErrors('program')).toEqual([])
    for (const [name, { message }] of Object.entries(MISTAKES)) {
      expect(`${name}: ${findErrors(name).join('')}`).toMatch(message)
      expect([name, findErrors(name).length]).toEqual([name, 1])
    }
  },
  120_000,
)
