/** The baseline on workerd: Hono that reads the same parameters and validates nothing. */
import { Hono } from 'hono'
import { PARAMETERS } from '../candidates/parameters.ts'
import { withLiterals } from '../candidates/payloads.ts'
import { requestedSize } from './requested-size.ts'

let n = 0

export default new Hono().get('/', (c) => {
  for (const name of PARAMETERS) c.req.query(name)
  return c.json(withLiterals(requestedSize(c.req.header('x-size')), (n += 1)))
})
