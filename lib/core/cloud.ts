/** What every AWS client starts from. Outside Lambda an endpoint must be named: a laptop never reaches real AWS by accident. */
import { StandardRetryStrategy } from '@smithy/core/retry'
import { processEnv } from './env.ts'
import { log } from './log.ts'

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 2_000

/**
 * Of too much at once the SDK's own pauses begin with a second and double, which outlasts a request; these end after about 6 s.
 * The SDK's budget stays: where most requests are refused, fewer are tried again.
 */
const backoff = {
  setDelayBase: () => {},
  computeNextBackoffDelay: (tries: number): number =>
    Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries),
}

type Logger = Record<'trace' | 'debug' | 'info' | 'warn' | 'error', (...words: unknown[]) => void>

/**
 * The SDK's own logger throws away what it is told, for which all that is sent and received was walked through: this one has
 * no `info` and no `error`, and is not told.
 */
const logger = {
  trace: () => {},
  debug: () => {},
  warn: (...words) => log.warn('The AWS SDK warns', { words: words.map(String) }),
} satisfies Partial<Logger> as unknown as Logger

export interface ClientDefaults {
  region: string
  maxAttempts: number
  retryStrategy: StandardRetryStrategy
  logger: Logger
}

export function clientDefaults(): ClientDefaults {
  const { AWS_ENDPOINT_URL, AWS_LAMBDA_FUNCTION_NAME, AWS_REGION, AWS_MAX_ATTEMPTS } = processEnv()
  if (!AWS_ENDPOINT_URL && !AWS_LAMBDA_FUNCTION_NAME) {
    throw new Error(
      'AWS_ENDPOINT_URL is not set: start the embedded cloud (npm start) or name a LocalStack-compatible endpoint.',
    )
  }
  const retryStrategy = new StandardRetryStrategy({ maxAttempts: AWS_MAX_ATTEMPTS, backoff })
  return { region: AWS_REGION, maxAttempts: AWS_MAX_ATTEMPTS, retryStrategy, logger }
}
