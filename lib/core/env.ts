/** What the functions read from their environment. A value that cannot be is refused by its name, all of them at once. */
import * as z from 'zod'

/** A variable that is set to nothing is not set. */
const unset = <T extends z.ZodType>(shape: T) => z.preprocess((text) => (text === '' ? undefined : text), shape)
const count = (min: number) => z.coerce.number().int().min(min)

/** Read where the others may not be set yet. */
const Process = z.object({
  AWS_ENDPOINT_URL: unset(z.url().optional()),
  AWS_LAMBDA_FUNCTION_NAME: z.string().default(''),
  AWS_REGION: unset(z.string().default('us-east-1')),
  /** How often a request to the cloud is tried that is refused as too much, or meets a fault. */
  AWS_MAX_ATTEMPTS: unset(count(1).default(10)),
  LOG_LEVEL: unset(
    z
      .string()
      .toUpperCase()
      .pipe(z.enum(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'CRITICAL', 'SILENT']))
      .default('INFO'),
  ),
  /** Records a sheet holds at most; a million unless it is set. */
  RECORDS_PER_SHEET: unset(count(1).optional()),
  /** Bytes up to which records are kept as items, above as objects; `Infinity` keeps all as items. */
  BLOB_DDB_MAX: unset(z.literal('Infinity').transform(Number).or(count(0)).optional()),
})

const Environment = Process.extend({
  TABLE_NAME: z.string().min(1),
  BUCKET_NAME: z.string().min(1),
  BUS_NAME: z.string().min(1),
  STAGE: z.string().default('dev'),
  /** Where the API answers, ending in /api: given to agents and written into links. */
  BASE_URL: z.string().min(1),
  /** Where live events are pushed over a WebSocket; empty where there is none. */
  LIVE_URL: z.string().default(''),
  /** Where the page of guests stands: links to a space are `<here>/s/<spaceId>`. The origin of BASE_URL unless told. */
  GUEST_URL: z.string().default(''),
  /** Where the page of users stands: links in mails are `<here>/accept-invite`. The origin of BASE_URL unless told. */
  CONSOLE_URL: z.string().default(''),
  /** Whom mails are from; without it they wait in the outbox for somebody else to send them. */
  MAIL_FROM: z.string().default(''),
  /** Requests a second one token may make, and one address without a token; 0 for no limit. */
  RATE_LIMIT: count(0).default(0),
  ADDRESS_RATE_LIMIT: count(0).default(0),
  /** How old the key that signs access tokens may become; 0 for any age. */
  SIGNING_KEY_DAYS: count(0).default(90),
  /** The ARN of the KMS key that wraps the data keys of environments' secrets. */
  SEALING_KEY: z.string().default(''),
  /** At least 32 characters; seals signing keys and secret keys at rest. Given to functions that do that. */
  WHARF_SECRET: unset(z.string().min(32).optional()),
  /** Proves that a request came by way of the distribution; empty where there is none. */
  ORIGIN_SECRET: z.string().default(''),
  /** Agents' functions and rules are named with it: the platform may manage what carries it, and nothing else. */
  FUNCTION_PREFIX: z.string().default('wharf-agents-dev-'),
  /** The platform's own functions are named with it. */
  PLATFORM_PREFIX: z.string().default('wharf-dev-'),
  AGENT_ROLE_ARN: z.string().default('arn:aws:iam::000000000000:role/wharf-agent'),
  AGENT_FINISHED_ARN: z.string().default(''),
  /** The log all agents write to; without it each has one of its own that is kept for ever. */
  AGENT_LOG_GROUP: z.string().default(''),
  AGENT_RUNTIME: z.string().default('nodejs24.x'),
  /** The function that calls agents which have no rule of their own. */
  ROUTER_ARN: z.string().default(''),
  /** Rules all agents together may have on the bus; EventBridge's quota is 300, the platform's own are among them. */
  AGENT_RULES: count(0).default(250),
  DEAD_LETTER_ARN: z.string().default(''),
  /** May requests to addresses that users chose go to this machine itself? Only where the whole cloud runs on it. */
  OUTBOUND_LOOPBACK: z.enum(['on', 'off']).default('off'),
  /** Ports of this machine that such requests may not go to all the same: those the platform itself listens on. */
  OUTBOUND_CLOSED_PORTS: unset(
    z
      .string()
      .regex(/^\d+(,\d+)*$/)
      .transform((text) => text.split(',').map(Number))
      .default([]),
  ),
})
export type Environment = z.infer<typeof Environment>

function read<T extends z.ZodType>(shape: T): z.output<T> {
  const { data, error } = shape.safeParse(process.env)
  if (error)
    throw new Error(
      `The environment: ${error.issues.map((one) => `${String(one.path[0])}: ${one.message}`).join('; ')}`,
    )
  return data
}

let parsed: Environment | undefined

/** All of it, parsed once at first use. */
export function env(): Environment {
  parsed ??= read(Environment)
  return parsed
}

/** What a process needs before it knows its stack. */
export const processEnv = (): z.output<typeof Process> => read(Process)
