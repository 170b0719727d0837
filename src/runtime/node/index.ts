/**
 * The Node host: serves a sidebar app over HTTP.
 *
 * @module
 */
export { type NodeHandler, toNodeHandler } from './node-handler.ts'
export type { App, ServeOptions } from './options.ts'
export { serve, type Server } from './serve.ts'
