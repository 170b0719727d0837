/**
 * The Node host: serves a sidebar app over HTTP.
 *
 * @module
 */
export { type App, type ServeOptions } from './options.ts'
export { serve, type Server } from './serve.ts'
