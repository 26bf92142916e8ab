/**
 * Structured logs without tokens, keys or record values.
 * Every line has the trace and the correlation id of its cause: for HTTP requests API Gateway's id (`Apigw-Requestid`).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Logger } from '@aws-lambda-powertools/logger'
import { processEnv } from './env.ts'
import { getTrace } from './trace-context.ts'

/** In the `resources` of bus events: prefix of the correlation id, and the mark of a replay. */
export const CORRELATION_PREFIX = 'urn:wharf:correlation:'
export const REPLAYED_RESOURCE = 'urn:wharf:replayed'

const correlationStorage = new AsyncLocalStorage<string | undefined>()

export const withCorrelationId = <T>(id: string | undefined, work: () => T): T => correlationStorage.run(id, work)

export const getCorrelationId = (): string | undefined => correlationStorage.getStore()

const logger = new Logger({ logLevel: processEnv().LOG_LEVEL })

const createLogMethod =
  (level: 'info' | 'warn' | 'error') =>
  (message: string, fields: Record<string, unknown> = {}): void =>
    logger[level](message, { correlation_id: getCorrelationId(), traceId: getTrace()?.traceId, ...fields })

export const log = { info: createLogMethod('info'), warn: createLogMethod('warn'), error: createLogMethod('error') }
