import type { Customer, Customers, Order } from '../../_base/src/sidebar.ts'
import type { Env } from './env.ts'

/** Queries the database. Values are bound, never joined into SQL. */
export function getCustomers({ DB }: Pick<Env, 'DB'>): Customers {
  const all =
    <Row>(sql: string) =>
    async (value: string) =>
      (await DB.prepare(sql).bind(value).all<Row>()).results
  const byId = all<Customer>('SELECT * FROM customers WHERE id = ?')
  return {
    byId: async (id) => (await byId(id))[0],
    byEmail: all<Customer>('SELECT * FROM customers WHERE lower(email) = ? LIMIT 50'),
    byDomain: all<Customer>('SELECT * FROM customers WHERE lower(domain) = ? LIMIT 50'),
    orders: all<Order>(
      'SELECT * FROM orders WHERE customer_id = ? ORDER BY placed_on DESC LIMIT 3',
    ),
  }
}
