import type { Customer, Customers, Order } from '../../_base/src/sidebar.ts'

type StoredCustomer = Customer & { readonly email: string; readonly orders: readonly Order[] }

/** Empty in production: only development and tests add sample customers. */
export const customers: StoredCustomer[] = []

/** Replace these functions with calls to your own systems, and pass the signal on. */
export function getCustomers(): Customers {
  return {
    byId: async (id) => customers.find((customer) => customer.id === id),
    byEmail: async (email) => customers.filter((customer) => customer.email === email),
    byDomain: async (domain) => customers.filter(({ email }) => email.endsWith(`@${domain}`)),
    orders: async (id) => customers.find((customer) => customer.id === id)?.orders ?? [],
  }
}
