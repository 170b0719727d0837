import { type ProjectFs, NODE_FS } from '../../src/tools/cli/new/write-files.ts'

/** The real functions, but one of the calls fails, as on a full disk. The first call is 1. */
export function failingAt(failing: number) {
  let calls = 0
  const guard =
    <Args extends unknown[], Result>(action: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      calls += 1
      if (calls === failing) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      return action(...args)
    }
  const fs: ProjectFs = {
    mkdir: guard(NODE_FS.mkdir),
    writeFile: guard(NODE_FS.writeFile),
    rename: guard(NODE_FS.rename),
    rm: NODE_FS.rm,
  }
  return { fs, calls: () => calls }
}

/** The real functions, but Ctrl-C is pressed after one of the calls. */
export function interruptedAt(last: number): ProjectFs {
  let calls = 0
  const guard =
    <Args extends unknown[], Result>(action: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      const result = await action(...args)
      calls += 1
      if (calls === last) process.emit('SIGINT')
      return result
    }
  return {
    mkdir: guard(NODE_FS.mkdir),
    writeFile: guard(NODE_FS.writeFile),
    rename: guard(NODE_FS.rename),
    rm: NODE_FS.rm,
  }
}
