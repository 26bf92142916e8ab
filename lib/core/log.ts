/**
 * Structured logs (Powertools); one logger, one name. Never give it a token, a key or a record's values.
 *
 * Every line carries the correlation id of what began it all: of an HTTP request API Gateway's own id, which the caller sees
 * as the header `Apigw-Requestid`. Events take it along on the bus, so that what a request set off, in whichever
 * function, is found by one id.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Logger } from '@aws-lambda-powertools/logger'
import { processEnv } from './env.ts'

/** Before the id where it stands among the `resources` of an event on the bus, and what says that the event is a replay. */
export const CORRELATION = 'urn:wharf:correlation:'
export const REPLAYED = 'urn:wharf:replayed'

const current = new AsyncLocalStorage<string | undefined>()

/** Runs `work` under the correlation id; without one, what is logged in it has none. */
export const correlated = <T>(id: string | undefined, work: () => T): T => current.run(id, work)

export const correlationId = (): string | undefined => current.getStore()

const logger = new Logger({ logLevel: processEnv().LOG_LEVEL })

const line =
  (level: 'info' | 'warn' | 'error') =>
  (message: string, more: Record<string, unknown> = {}): void =>
    logger[level](message, { correlation_id: correlationId(), ...more })

export const log = { info: line('info'), warn: line('warn'), error: line('error') }
