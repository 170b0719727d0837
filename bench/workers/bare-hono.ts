/** What a Worker is measured against: Hono that reads the same and checks nothing. */
import { Hono } from 'hono'
import { PARAMETERS } from '../contenders/parameters.ts'
import { literals } from '../contenders/sizes.ts'

let n = 0

export default new Hono().get('/', (c) => {
  for (const name of PARAMETERS) c.req.query(name)
  return c.json(literals(c.req.header('x-size') === '1' ? 1 : 15, (n = (n + 1) % 1000)))
})
