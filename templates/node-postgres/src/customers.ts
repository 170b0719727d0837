import type { Customer, CustomerError, Customers, Order } from '../../_base/src/sidebar.ts'
import type { Database } from './database.ts'

/** Creates the queries of the sidebar. */
export function createCustomers(database: Database): Customers {
  const all =
    <Row>(sql: string) =>
    (value: string) =>
      database.query<Row>(sql, [value])
  const byId = all<Customer>('SELECT * FROM customers WHERE id = $1')
  return {
    byId: async (id) => (await byId(id))[0],
    byEmail: all<Customer>('SELECT * FROM customers WHERE lower(email) = $1 LIMIT 50'),
    byDomain: all<Customer>('SELECT * FROM customers WHERE lower(domain) = $1 LIMIT 50'),
    orders: all<Order>(
      'SELECT * FROM orders WHERE customer_id = $1 ORDER BY placed_on DESC LIMIT 3',
    ),
    errors: all<CustomerError>(
      `SELECT message, count(*)::int AS count, max(happened_at) AS last_at FROM errors
       WHERE customer_id = $1 GROUP BY message ORDER BY last_at DESC LIMIT 5`,
    ),
  }
}
