/**
 * The Node host: serves a sidebar app over HTTP.
 *
 * @module
 */
export { type App, serve, type ServeOptions, type Server } from './serve.ts'
