export { renderPayload } from './render-payload.ts'
