export { COLORED, PLAIN, type RenderPalette } from './palette.ts'
export {
  type Rendering,
  type RenderOptions,
  renderPayload,
  type Truncation,
} from './render-payload.ts'
