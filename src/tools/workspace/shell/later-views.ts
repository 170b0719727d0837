/** The views that are loaded when one of them is opened. */
export { AccessView } from '../api/access-view.tsx'
export { Inspector } from '../requests/inspector.tsx'
export { StatesView } from '../states/states-view.tsx'
