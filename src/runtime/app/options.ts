import type { MiddlewareHandler } from 'hono'
import type { CardItem } from '../builders/components/children.ts'
import type { FetchDataResult } from '../builders/components/child.ts'
import type { Component } from '../contract/generated/types.ts'
import type { FailureKind } from '../internal/failure-header.ts'
import type { Logger } from '../internal/logger.ts'
import type { Actions } from './action-support.ts'
import type { Auth } from './request/auth.ts'
import type { BindingsOf, DefaultBindings } from './request/bindings.ts'
import type { FetchDataContext } from './request/context.ts'
import type { Instrument } from './observe/instrument.ts'
import type { LogErrors } from './observe/log-error.ts'
import type { Messages } from './messages.ts'

/** Limits of a payload (A8). If a section exceeds them, only that section is replaced. */
export interface Limits {
  /** Components, including those in cards. @default 1000 */
  readonly maxComponents?: number | undefined
  /** Bytes of the JSON. @default 262144 */
  readonly maxBodyBytes?: number | undefined
}

/** The part that failed: the response, a section (with its title), or middleware. */
export type FailureInfo =
  | {
      readonly kind: Exclude<FailureKind, 'section_failed' | 'section_timeout' | 'identity_failed'>
      readonly section?: undefined
    }
  | { readonly kind: 'section_failed' | 'section_timeout'; readonly section: string }
  | { readonly kind: 'identity_failed'; readonly section?: string | undefined }
  | { readonly kind: 'middleware_failed'; readonly section?: undefined }

/** Some texts that agents see; the others stay English. */
export type MessageOptions = Partial<Omit<Messages, 'ids'>> & {
  readonly ids?: Partial<Messages['ids']>
}

/**
 * Options of `sidecard()`.
 *
 * @see docs/contract.md#requests
 */
export interface SidecardOptions<T = DefaultBindings> {
  /** The title, and optionally an icon (http or https), above everything that the app shows. */
  readonly header: { readonly title: string; readonly icon_url?: string | undefined }
  /**
   * The identity of the app, which is part of every cache key, action link and log
   * line. Two apps that share a store need different names. Required with actions.
   * @default the title of the header
   */
  readonly name?: string | undefined
  /** Authenticates the caller: `secretHeader()`, `noAuth()` or your own. */
  readonly auth: Auth<BindingsOf<T>>
  /** Returns the content that the agent sees for an issue. */
  fetchData(ctx: FetchDataContext<T>): FetchDataResult | PromiseLike<FetchDataResult>
  /** Runs before the endpoint, for every method, by Hono's own rules. */
  readonly middleware?: readonly MiddlewareHandler[] | undefined
  /** The form of the response to a handshake. @default 'json' */
  readonly handshake?: 'json' | 'text' | undefined
  /** The timeout of `fetchData` with its sections, in milliseconds (A7). @default 5000 */
  readonly timeoutMs?: number | undefined
  /**
   * Called for each failure with the thrown error, for example to report it. The
   * components that it returns replace the failure card of the response or section.
   * A promise is not awaited, and its rejection is ignored.
   */
  readonly onError?:
    | ((
        error: unknown,
        ctx: FetchDataContext<T>,
        info: FailureInfo,
      ) => ReadonlyArray<Component | CardItem> | void | Promise<void>)
    | undefined
  /**
   * Receives one line per request. By default, only failures and rejected
   * requests are logged, to the console. `false` logs nothing.
   */
  readonly logger?: Logger | false | undefined
  /** Whether the log contains the messages and stacks of errors, or only their names. @default 'full' */
  readonly logErrors?: LogErrors | undefined
  /**
   * The response to a failure (A5): `'payload'` with status 200 and a failure card,
   * or `'status'` with a problem response and status 500 or 504.
   * @default 'payload'
   */
  readonly errors?: 'payload' | 'status' | undefined
  /** The largest payload (A8). @default 1,000 components, 256 KiB */
  readonly limits?: Limits | undefined
  /** The texts that agents see, to replace or translate. @default English */
  readonly messages?: MessageOptions | undefined
  /** Observes spans and responses: `serverTiming()`, `audit()`, or your own. */
  readonly instrument?: Instrument | readonly Instrument[] | undefined
  /** Buttons that do something: `actions()` of `sidecard/actions`. @see docs/guides/actions.md */
  readonly actions?: Actions<BindingsOf<T>> | undefined
  /** The URI schemes that links may have (A9). @default ['http', 'https', 'mailto', 'tel'] */
  readonly uriSchemes?: readonly string[] | undefined
}
