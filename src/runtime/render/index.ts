export { renderHtml } from './render-html.ts'
export { renderPayload } from './render-payload.ts'
