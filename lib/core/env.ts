/** Reads the environment variables of functions. Reports every invalid variable by name. */
import * as z from 'zod'

const emptyAsUnset = <T extends z.ZodType>(shape: T) => z.preprocess((text) => (text === '' ? undefined : text), shape)
const integerFrom = (min: number) => z.coerce.number().int().min(min)

function parseHeaders(text: string, context: z.RefinementCtx): Record<string, string> {
  try {
    const entries = text.split(',').map((entry) => /^\s*([^=\s]+)\s*=(.*)$/.exec(entry)!)
    return Object.fromEntries(entries.map(([, name, value]) => [name, decodeURIComponent(value!.trim())]))
  } catch {
    context.addIssue({ code: 'custom', message: 'expected name=value, separated by commas and percent-encoded' })
    return z.NEVER
  }
}

const Process = z.object({
  AWS_ENDPOINT_URL: emptyAsUnset(z.url().optional()),
  AWS_LAMBDA_FUNCTION_NAME: z.string().default(''),
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: emptyAsUnset(integerFrom(1).optional()),
  AWS_REGION: emptyAsUnset(z.string().default('us-east-1')),
  AWS_MAX_ATTEMPTS: emptyAsUnset(integerFrom(1).default(10)),
  LOG_LEVEL: emptyAsUnset(
    z
      .string()
      .toUpperCase()
      .pipe(z.enum(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'CRITICAL', 'SILENT']))
      .default('INFO'),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: emptyAsUnset(z.url({ protocol: /^https?$/ }).optional()),
  OTEL_EXPORTER_OTLP_TIMEOUT: emptyAsUnset(integerFrom(1).default(1_000)),
  OTEL_EXPORTER_OTLP_HEADERS: emptyAsUnset(z.string().transform(parseHeaders).default({})),
  RECORDS_PER_SHEET: emptyAsUnset(integerFrom(1).optional()),
  /** A part is what one function does of a job or a read that several share. */
  PART_BYTES: emptyAsUnset(integerFrom(1).default(64 * 1024 * 1024)),
  PART_RECORDS: emptyAsUnset(integerFrom(1).default(500_000)),
  PARTS_AT_ONCE: emptyAsUnset(integerFrom(1).default(32)),
  /** Time without a renewal after which the run of a job counts as dead. It renews three times as often. */
  LEASE_MS: emptyAsUnset(integerFrom(1).default(30_000)),
  /** Records up to this many bytes are items, larger ones objects; `Infinity` makes all items. */
  BLOB_DDB_MAX: emptyAsUnset(z.literal('Infinity').transform(Number).or(integerFrom(0)).optional()),
})

const Environment = Process.extend({
  TABLE_NAME: z.string().min(1),
  BUCKET_NAME: z.string().min(1),
  BUS_NAME: z.string().min(1),
  /** `all` also puts events without listeners on the bus, for rules that the account adds. */
  BUS_EVENTS: z.enum(['listened', 'all']).default('listened'),
  STAGE: z.string().default('dev'),
  /** Ends in /api; passed to agents and used in links. */
  BASE_URL: z.string().min(1),
  LIVE_URL: z.string().default(''),
  /** Guest portal; links to a space are `<here>/s/<spaceId>`. Defaults to the origin of BASE_URL. */
  GUEST_URL: z.string().default(''),
  /** Console; links in mails are `<here>/accept-invite`. Defaults to the origin of BASE_URL. */
  CONSOLE_URL: z.string().default(''),
  /** Sender of mails; without it they stay in the outbox. */
  MAIL_FROM: z.string().default(''),
  /** Requests per second for one token, and for one address without a token; 0 disables the limit. */
  RATE_LIMIT: integerFrom(0).default(0),
  ADDRESS_RATE_LIMIT: integerFrom(0).default(0),
  /** Maximum age of the signing key; 0 disables rotation. */
  SIGNING_KEY_DAYS: integerFrom(0).default(90),
  SEALING_KEY: z.string().default(''),
  /** At least 32 characters; encrypts signing keys and secret keys. Set only for functions that need it. */
  WHARF_SECRET: emptyAsUnset(z.string().min(32).optional()),
  /** Proves that a request came through the distribution; empty without one. */
  ORIGIN_SECRET: z.string().default(''),
  /** Name prefix of agents' functions and rules; the platform may manage nothing else. */
  FUNCTION_PREFIX: z.string().default('wharf-agents-dev-'),
  PLATFORM_PREFIX: z.string().default('wharf-dev-'),
  AGENT_ROLE_ARN: z.string().default('arn:aws:iam::000000000000:role/wharf-agent'),
  AGENT_FINISHED_ARN: z.string().default(''),
  /** Shared log of all agents; without it each has a separate one that is never deleted. */
  AGENT_LOG_GROUP: z.string().default(''),
  AGENT_RUNTIME: z.string().default('nodejs24.x'),
  /** Invokes agents that have no separate rule. */
  ROUTER_ARN: z.string().default(''),
  /** For all agents together; EventBridge's quota is 300, including the platform's rules. */
  AGENT_RULES: integerFrom(0).default(250),
  DEAD_LETTER_ARN: z.string().default(''),
  /** Models of Amazon Bedrock that environments may use, separated by commas; the deployment pays for them. */
  BEDROCK_MODELS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((model) => model.trim() || [])),
  /** Allows requests to URLs chosen by users to reach this machine, for local development. */
  OUTBOUND_LOOPBACK: z.enum(['on', 'off']).default('off'),
  OUTBOUND_CLOSED_PORTS: emptyAsUnset(
    z
      .string()
      .regex(/^\d+(,\d+)*$/)
      .transform((text) => text.split(',').map(Number))
      .default([]),
  ),
})
export type Environment = z.infer<typeof Environment>

function parseEnv<T extends z.ZodType>(shape: T): z.output<T> {
  const { data, error } = shape.safeParse(process.env)
  if (error)
    throw new Error(
      `Invalid environment: ${error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`).join('; ')}`,
    )
  return data
}

let parsed: Environment | undefined

export function env(): Environment {
  parsed ??= parseEnv(Environment)
  return parsed
}

export const processEnv = (): z.output<typeof Process> => parseEnv(Process)
