/** A server under load: it says its port, and at the end how many requests it has begun. */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { noAuth, sidecard, text } from '../../src/index.ts'
import { serve } from '../../src/node/serve.ts'

let begun = 0
const app = sidecard({
  header: { title: 'Soak' },
  auth: noAuth(),
  logger: false,
  async fetchData() {
    begun += 1
    await sleep(begun % 40)
    return [text({ label: 'a', value: 'b' })]
  },
})
const { port } = await serve(app, {
  port: 0,
  onClose: () => void writeSync(1, `begun ${begun}\n`),
})
writeSync(1, `port ${port}\n`)
