/**
 * What a whole answer costs in process, without a socket:
 * `node bench/in-process.ts [rounds]`. The contenders run in turns; each round
 * gives one ratio, so what disturbs the machine disturbs both.
 */
import { bareHono, checked, QUERY, type Size } from './contenders/apps.ts'
import { summary } from './statistics.ts'

const CALLS = 1_000
const WARM_UP = 10
const rounds = Number(process.argv[2] ?? 60)

for (const size of ['realistic', 'one'] as const satisfies Size[]) {
  const bare = bareHono(size)
  const ours = checked(size)
  const microseconds = { bare: [] as number[], ours: [] as number[] }
  const ratios: number[] = []
  for (let round = 0; round < rounds + WARM_UP; round += 1) {
    const bareTime = await time(bare)
    const ourTime = await time(ours)
    if (round < WARM_UP) continue
    microseconds.bare.push(bareTime)
    microseconds.ours.push(ourTime)
    ratios.push(bareTime / ourTime)
  }
  console.log(
    `${size}: bare Hono ${summary(microseconds.bare)} µs, sidecard ${summary(microseconds.ours)} µs, ratio ${summary(ratios)}`,
  )
}

async function time(app: {
  fetch(request: Request): Response | Promise<Response>
}): Promise<number> {
  const requests = Array.from({ length: CALLS }, () => new Request(`http://localhost/${QUERY}`))
  const start = performance.now()
  for (const request of requests) await (await app.fetch(request)).arrayBuffer()
  return ((performance.now() - start) * 1_000) / CALLS
}
