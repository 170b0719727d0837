/** The views that are loaded when one of them is opened. */
export { AccessView } from '../access/access-view.tsx'
export { ChecksView } from '../checks/checks-view.tsx'
export { FaultsView } from '../faults/faults-view.tsx'
export { Inspector } from '../inspector/inspector.tsx'
export { StatesView } from '../states/states-view.tsx'
export { ExchangeTab } from '../diagnostics/exchange-tab.tsx'
