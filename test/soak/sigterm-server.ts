/** A server under load. It prints its port, and at the end how many requests it started. */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { noAuth, sidecard, text } from '../../src/index.ts'
import { serve } from '../../src/runtime/node/serve.ts'

let started = 0
const app = sidecard({
  header: { title: 'Soak' },
  auth: noAuth(),
  logger: false,
  async fetchData() {
    started += 1
    await sleep(started % 40)
    return [text({ label: 'a', value: 'b' })]
  },
})
const { port } = await serve(app, {
  port: 0,
  onClose: () => void writeSync(1, `started ${started}\n`),
})
writeSync(1, `port ${port}\n`)
