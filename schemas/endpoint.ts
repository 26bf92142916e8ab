/**
 * `endpoint()`: the one place where an endpoint's shape and policy are written. Routes, OpenAPI and the access tests
 * derive from it; `lib/http/serve.ts` turns it into a Lambda handler. Knows no AWS and no HTTP server.
 */
import type * as z from 'zod'
import type { Permission, Scope } from './access.ts'
import type { ErrorCode } from './errors.ts'
import { BODY_BYTES, PUBLIC_BODY_BYTES } from './sizes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `on` names what is loaded and handed to the handler; `at` says where its id stands when the path does not name it. */
export type Policy =
  | { public: true }
  /** A subscription token in the query's `auth` opens the channel the path names; anything else is a 403. */
  | { subscription: true }
  | {
      can: Permission | 'spaces:create'
      on: Scope
      at?: `params.${string}` | `query.${string}` | `body.${string}`
      /** The id may be missing: then the caller's own environment (or `undefined` for other scopes) is meant. */
      optional?: true
      /**
       * For a GET that changes state because published clients send it so: refused to browsers, and to every credential but keys
       * and personal access tokens. A browser sends a GET for whoever makes it follow an address.
       */
      outsideBrowsers?: true
      /** Guests may do this only with what they created themselves (its `createdBy`). */
      guests?: 'own'
      /** Where a publishable key stands in place of a bearer: pages send it so, and no browser asks before it does. */
      key?: `query.${string}`
    }

export interface Contract {
  /** `<domain>.<verb>`; the domain is the file in schemas/ and functions/, the verb the handler's export. */
  id: `${string}.${string}`
  method: Method
  /** Of the API; 'v1' unless told. */
  version?: 'v2-alpha'
  /** The path stands at the server's root, not below /api/<version>: a protocol of published clients fixes it. */
  root?: true
  /** Waits until something happens: deployed with little memory, because waiting is paid by memory and time. */
  waits?: true
  /** Path below /api/<version>, parameters in braces. */
  path: `/${string}`
  summary: string
  description?: string
  policy: Policy
  /**
   * Noted in the audit log, with the change itself: every call, or those that change one of the fields of the body; `read`
   * where users get to see secrets.
   */
  audit?: 'change' | 'read' | { ofFields: readonly string[] }
  /**
   * Properties of the reply that hold secrets, at any depth. A reply with one of them is not stored for a repeated
   * `Idempotency-Key`: the repetition is a 409 that says so.
   */
  secrets?: readonly string[]
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** How the body arrives: JSON (default); multipart or JSON lines, which the handler reads. */
  bodyType?: 'json' | 'multipart' | 'jsonl'
  /** May the body be absent? */
  bodyOptional?: true
  /** The whole reply body; `bytes` for a raw reply made by the handler. */
  reply: z.ZodType | 'bytes'
  /** Content types of a `bytes` reply; any by default. */
  replyTypes?: readonly string[]
  /**
   * What it may answer beside 200 that is no error: `large`, a redirect to the bucket where the answer is large; `redirect`, to
   * another page; `range`, a part of the bytes; `unchanged`, nothing, because the caller has it.
   */
  also?: readonly ('large' | 'redirect' | 'range' | 'unchanged')[]
  /** Errors beside the ones every endpoint can answer. */
  errors?: readonly ErrorCode[]
  /** The body may have at most this many bytes once it is inflated; see {@link bodyBytesOf} for the default. */
  bodyBytes?: number
  /** A request that works in a fresh account; ids of the fixture stand as `{spaceId}`. Yields the access tests and the docs. */
  example: {
    params?: Record<string, string>
    query?: Record<string, string | string[]>
    body?: unknown
    /** For the docs; made from the shape unless told. */
    reply?: unknown
    note?: string
  }
}

/** Declares an endpoint, keeping its literal types. */
export const endpoint = <const C extends Contract>(contract: C): C => contract

/** How many bytes a body may have once it is inflated: few where anybody may call. */
export const bodyBytesOf = ({ bodyBytes, policy }: Pick<Contract, 'bodyBytes' | 'policy'>): number =>
  bodyBytes ?? ('public' in policy ? PUBLIC_BODY_BYTES : BODY_BYTES)

/** The whole path, e.g. `/api/v1/spaces/{spaceId}`. */
export const pathOf = ({ version, root, path }: Pick<Contract, 'version' | 'root' | 'path'>): string =>
  root ? path : `/api/${version ?? 'v1'}${path}`

/** The route key of API Gateway, e.g. `GET /api/v1/spaces/{spaceId}`. */
export const routeKeyOf = (contract: Pick<Contract, 'method' | 'version' | 'root' | 'path'>): string =>
  `${contract.method} ${pathOf(contract)}`

export const domainOf = (contract: Pick<Contract, 'id'>): string => contract.id.slice(0, contract.id.indexOf('.'))
