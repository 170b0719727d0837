import { readdirSync, readFileSync } from 'node:fs'
import { d1Receipts, type Receipts } from 'sidecard/actions'

const CONFIG = new URL('../workerd/wrangler.toml', import.meta.url).pathname

/** Receipts in a database that processes share. */
export interface OpenReceipts {
  readonly receipts: Receipts
  close(): Promise<void>
  /** Opens the database, which can take longer than a store may. */
  ready?(): Promise<unknown>
  /** Lets other processes use the files until the next call. */
  release?(): Promise<void>
  /** Ends the process of the database, if a process of receipts has its own. */
  kill?(): Promise<void>
}

/** Opens the receipts of a D1 database in workerd, whose files are in a folder. */
export function openD1(folder: string): OpenReceipts {
  let opening: ReturnType<typeof open> | undefined
  async function open() {
    const { getPlatformProxy } = await import('wrangler')
    const others = listWorkerds()
    const proxy = await getPlatformProxy<{ ACCOUNTS: any }>({
      configPath: CONFIG,
      persist: { path: folder },
    })
    const [pid] = listWorkerds().filter((one) => !others.includes(one))
    return { receipts: d1Receipts(proxy.env.ACCOUNTS), dispose: () => proxy.dispose(), pid: pid! }
  }
  const opened = () => (opening ??= open())
  const receipts: Receipts = {
    begin: async (...args) => (await opened()).receipts.begin(...args),
    settle: async (...args) => (await opened()).receipts.settle(...args),
    list: async (...args) => (await opened()).receipts.list(...args),
    erase: async (...args) => (await opened()).receipts.erase(...args),
  }
  const close = async () => {
    await (await opening)?.dispose()
    opening = undefined
  }
  const kill = async () => void process.kill((await opened()).pid, 'SIGKILL')
  return { receipts, close, ready: opened, release: close, kill }
}

/** Lists the workerd processes that this process has started. Linux has this list. */
function listWorkerds(): readonly number[] {
  const tasks = readdirSync('/proc/self/task')
  const read = (task: string) => readFileSync(`/proc/self/task/${task}/children`, 'utf8')
  const children = tasks.flatMap((task) => read(task).split(' ').filter(Boolean))
  const isWorkerd = (pid: string) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'workerd'
  return children.filter(isWorkerd).map(Number)
}
