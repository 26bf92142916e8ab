/** Declares an endpoint's schemas and policy; routes, OpenAPI and access tests are derived from it. */
import type * as z from 'zod'
import type { Permission, Scope } from '../access/permissions.ts'
import { BODY_BYTES, PUBLIC_BODY_BYTES } from './byte-limits.ts'
import type { ErrorCode } from './error-codes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `on` is the resource loaded for the handler; `at` is where its id is if not in the path. */
export type Policy =
  | { public: true }
  /** Requires a subscription token for the channel in `auth`, otherwise 403. */
  | { subscription: true }
  | {
      can: Permission | 'spaces:create'
      on: Scope
      at?: `params.${string}` | `query.${string}` | `body.${string}`
      /** If the id is missing, defaults to the caller's environment, or `undefined` for other scopes. */
      optional?: true
      /** For a GET that changes state: rejects browsers, since any page can make them send one. */
      outsideBrowsers?: true
      /** Guests can only access what they created (`createdBy`). */
      guests?: 'own'
      /** Also accepts the tokens of connected AI agents, which no other endpoint does. */
      acceptsAgents?: true
      /** The query parameter for a publishable key instead of a bearer token, so that browsers need no preflight. */
      key?: `query.${string}`
    }

export interface Contract {
  /** `<domain>.<verb>`: the file name in schemas/ and functions/, and the name of the handler. */
  id: `${string}.${string}`
  method: Method
  version?: 'v2-alpha'
  /** The path is at the server root, as a protocol of published clients requires. */
  root?: true
  /** Long-running: deployed with little memory, since waiting is billed by memory and time. */
  waits?: true
  path: `/${string}`
  summary: string
  description?: string
  policy: Policy
  /** Audited in the transaction of the change; `read` records users who view secrets. */
  audit?: 'change' | 'read' | { ofFields: readonly string[] }
  /** Reply properties with secrets. Such replies are not stored for an `Idempotency-Key`: repeating is a 409. */
  secrets?: readonly string[]
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** JSON by default; the handler itself parses multipart and JSON Lines. */
  bodyType?: 'json' | 'form' | 'multipart' | 'jsonl'
  bodyOptional?: true
  reply: z.ZodType | 'bytes'
  replyTypes?: readonly string[]
  /** Other successes: `large` redirects to the bucket, `range` is partial content, `unchanged` is a 304. */
  also?: readonly ('large' | 'redirect' | 'range' | 'unchanged')[]
  errors?: readonly ErrorCode[]
  /** After decompression; see {@link getMaxBodyBytes} for the default. */
  bodyBytes?: number
  /** Works in a new account, with fixture ids such as `{spaceId}`. Used by access tests and documentation. */
  example: {
    params?: Record<string, string>
    query?: Record<string, string | string[]>
    body?: unknown
    /** For documentation; generated from the schema by default. */
    reply?: unknown
    note?: string
  }
}

export const endpoint = <const C extends Contract>(contract: C): C => contract

export const getMaxBodyBytes = ({ bodyBytes, policy }: Pick<Contract, 'bodyBytes' | 'policy'>): number =>
  bodyBytes ?? ('public' in policy ? PUBLIC_BODY_BYTES : BODY_BYTES)

export const buildPath = ({ version, root, path }: Pick<Contract, 'version' | 'root' | 'path'>): string =>
  root ? path : `/api/${version ?? 'v1'}${path}`

export const buildRouteKey = (contract: Pick<Contract, 'method' | 'version' | 'root' | 'path'>): string =>
  `${contract.method} ${buildPath(contract)}`

export const getDomain = (contract: Pick<Contract, 'id'>): string => contract.id.slice(0, contract.id.indexOf('.'))
