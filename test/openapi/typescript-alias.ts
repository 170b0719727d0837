/**
 * `openapi-typescript` uses the classic compiler API, which TypeScript 7 does not
 * have. Only for this package, `typescript` resolves to the installed version
 * 5.9.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
})
