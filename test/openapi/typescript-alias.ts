/**
 * `openapi-typescript` writes its output with the classic compiler API, which
 * TypeScript 7 does not have: for it alone, `typescript` is the 5.9 beside it.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
})
