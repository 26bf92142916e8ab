/** Creates every AWS client of lib/. Outside Lambda an endpoint is required, so nothing reaches AWS by accident. */
import { StandardRetryStrategy } from '@smithy/core/retry'
import { processEnv } from './env.ts'
import { log } from './log.ts'

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

const INITIAL_WAIT_MS = 50
const MAX_WAIT_MS = 2_000

/** The SDK's throttling backoff doubles from one second and outlasts a request; this one ends after 6 s. */
const backoff = {
  setDelayBase: () => {},
  computeNextBackoffDelay: (attempt: number): number =>
    Math.random() * Math.min(MAX_WAIT_MS, INITIAL_WAIT_MS * 2 ** attempt),
}

type Logger = Record<'trace' | 'debug' | 'info' | 'warn' | 'error', (...words: unknown[]) => void>

/** The SDK's default logger formats every request only to discard it; without `info` and `error` it does not. */
const logger = {
  trace: () => {},
  debug: () => {},
  warn: (...words) => log.warn('AWS SDK warning', { words: words.map(String) }),
} satisfies Partial<Logger> as unknown as Logger

interface ClientDefaults {
  region: string
  maxAttempts: number
  retryStrategy: StandardRetryStrategy
  logger: Logger
}

function getClientDefaults(): ClientDefaults {
  const { AWS_ENDPOINT_URL, AWS_LAMBDA_FUNCTION_NAME, AWS_REGION, AWS_MAX_ATTEMPTS } = processEnv()
  if (!AWS_ENDPOINT_URL && !AWS_LAMBDA_FUNCTION_NAME) {
    throw new Error(
      'AWS_ENDPOINT_URL is not set. Start the local emulator (npm start) or set the URL of a LocalStack-compatible endpoint.',
    )
  }
  const retryStrategy = new StandardRetryStrategy({ maxAttempts: AWS_MAX_ATTEMPTS, backoff })
  return { region: AWS_REGION, maxAttempts: AWS_MAX_ATTEMPTS, retryStrategy, logger }
}

/** @example createClient(LambdaClient) */
export const createClient = <Client, const Options extends object = object>(
  ClientClass: new (config: ClientDefaults & Options) => Client,
  options = {} as Options,
): Client => new ClientClass({ ...getClientDefaults(), ...options })
