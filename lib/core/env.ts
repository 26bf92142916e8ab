/** What the functions read from their environment, parsed once at first use. */
import * as z from 'zod'

const Environment = z.object({
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
  RATE_LIMIT: z.coerce.number().int().min(0).default(0),
  ADDRESS_RATE_LIMIT: z.coerce.number().int().min(0).default(0),
  /** How old the key that signs access tokens may become; 0 for any age. */
  SIGNING_KEY_DAYS: z.coerce.number().int().min(0).default(90),
  /** The ARN of the KMS key that wraps the data keys of environments' secrets. */
  SEALING_KEY: z.string().default(''),
  /** At least 32 characters; seals signing keys and secret keys at rest. */
  WHARF_SECRET: z.string().min(32),
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
  AGENT_RULES: z.coerce.number().int().min(0).default(250),
  DEAD_LETTER_ARN: z.string().default(''),
  /** May requests to addresses that users chose go to this machine itself? Only where the whole cloud runs on it. */
  OUTBOUND_LOOPBACK: z.enum(['on', 'off']).default('off'),
})
export type Environment = z.infer<typeof Environment>

let parsed: Environment | undefined

export function env(): Environment {
  parsed ??= Environment.parse(process.env)
  return parsed
}
