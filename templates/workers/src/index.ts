import { getCustomers } from '../../http/src/customers.ts'
import { createApp } from '../../_base/src/sidebar.ts'

export default createApp(getCustomers)
