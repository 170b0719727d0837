import { getCustomers } from '../../sample/src/customers.ts'
import { createApp } from '../../_base/src/sidebar.ts'

console.warn('There are no customers yet: see src/customers.ts.')

export default createApp(getCustomers)
