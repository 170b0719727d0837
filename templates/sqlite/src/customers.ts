import type { Customer, Customers, Order } from '../../_base/src/sidebar.ts'
import { database } from './database.ts'
import type { Env } from './env.ts'

const all = <Row>(sql: string) => {
  const statement = database.prepare(sql)
  return async (value: string) => statement.all(value) as Row[]
}
const byId = all<Customer>('SELECT * FROM customers WHERE id = ?')
const customers: Customers = {
  byId: async (id) => (await byId(id))[0],
  byEmail: all<Customer>('SELECT * FROM customers WHERE lower(email) = ? LIMIT 50'),
  byDomain: all<Customer>('SELECT * FROM customers WHERE lower(domain) = ? LIMIT 50'),
  orders: all<Order>('SELECT * FROM orders WHERE customer_id = ? ORDER BY placed_on DESC LIMIT 3'),
}

/** Queries the database. Values are bound, never joined into SQL. */
export function getCustomers(_env: Env): Customers {
  return customers
}
