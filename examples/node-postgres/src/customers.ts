import type { Customer, Customers, Order } from './sidebar.ts'
import { getDatabase } from './database.ts'
import type { Env } from './env.ts'

/** Queries the database. */
export function getCustomers(_env: Env): Customers {
  const all =
    <Row>(sql: string) =>
    async (value: string) =>
      (await getDatabase().query<Row>(sql, [value])).rows
  const byId = all<Customer>('SELECT * FROM customers WHERE id = $1')
  return {
    byId: async (id) => (await byId(id))[0],
    byEmail: all<Customer>('SELECT * FROM customers WHERE lower(email) = $1 LIMIT 50'),
    byDomain: all<Customer>('SELECT * FROM customers WHERE lower(domain) = $1 LIMIT 50'),
    orders: all<Order>(
      'SELECT * FROM orders WHERE customer_id = $1 ORDER BY placed_on DESC LIMIT 3',
    ),
  }
}
