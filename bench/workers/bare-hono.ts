/** The baseline on workerd: Hono that reads the same parameters and validates nothing. */
import { Hono } from 'hono'
import { FETCH_DATA_PARAMETERS } from '../../src/runtime/contract/parameters.ts'
import { HEADER, literals, readRow } from '../payloads.ts'

export default new Hono().get('/', (c) => {
  for (const name of FETCH_DATA_PARAMETERS) c.req.query(name)
  return c.json({ version: '1.0.0', header: HEADER, components: literals(15, 1, readRow) })
})
