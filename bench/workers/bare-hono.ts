/** What a Worker is measured against: Hono that reads the same and checks nothing. */
import { Hono } from 'hono'
import { literals } from '../contenders/sizes.ts'

const NAMES = [
  'request_type',
  'app_id',
  'widget_id',
  'issue_id',
  'organization_id',
  'account_id',
  'requester_id',
  'requester_email',
]
let n = 0

export default new Hono().get('/', (c) => {
  for (const name of NAMES) c.req.query(name)
  return c.json(literals(c.req.header('x-size') === '1' ? 1 : 15, (n = (n + 1) % 1000)))
})
