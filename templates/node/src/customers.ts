import type { Customer, CustomerError, Customers, Order } from '../../_base/src/sidebar.ts'
import type { Database } from './database.ts'

/** Creates the queries of the sidebar. */
export function createCustomers(database: Database): Customers {
  const all = <Row>(sql: string) => {
    const statement = database.prepare(sql)
    // The functions return promises, like those of a database server, so that sections load in
    // parallel.
    return async (value: string) => statement.all(value) as Row[]
  }
  const byId = all<Customer>('SELECT * FROM customers WHERE id = ?')
  return {
    byId: async (id) => (await byId(id))[0],
    byEmail: all<Customer>('SELECT * FROM customers WHERE lower(email) = ? LIMIT 50'),
    byDomain: all<Customer>('SELECT * FROM customers WHERE lower(domain) = ? LIMIT 50'),
    orders: all<Order>(
      'SELECT * FROM orders WHERE customer_id = ? ORDER BY placed_on DESC LIMIT 3',
    ),
    errors: all<CustomerError>(
      `SELECT message, count(*) AS count, max(happened_at) AS last_at FROM errors
       WHERE customer_id = ? GROUP BY message ORDER BY last_at DESC LIMIT 5`,
    ),
  }
}
