import { getCustomers } from './customers.ts'
import { createApp } from './sidebar.ts'

export default createApp(getCustomers)
