import type * as z from 'zod'
import { getReadPermission } from '../../schemas/events/readers.ts'
import { pascalCase } from '../../schemas/kit/pascal-case.ts'
import type { Topic } from '../../schemas/kit/topic.ts'
import { SOCKET_MESSAGE_BYTES, SocketMessage, SocketRequest } from '../../schemas/live/socket.ts'
import { SUBSCRIPTION_MINUTES } from '../../schemas/subscriptions/shape.ts'
import { withComponents } from './components.ts'
import { describeWithin } from './describe.ts'
import { ANY_EVENT, buildEventExample, buildEventSchema } from './event-schema.ts'
import { type Json, toJsonSchema } from './json-schema.ts'
import { buildSample } from './samples.ts'
import { formatBytes } from './sizes.ts'

const CHANNEL = '#/channels/live'

const SUMMARIES = {
  'too-large': 'An event that does not fit into a message even without its payload. Read it by its id.',
  position: 'Everything up to this position was sent. With `more`, send `sync` again immediately.',
  pong: 'The response to `ping`.',
  error: 'The request was not valid.',
  sync: 'Asks for the events after a position, then the new position. Without a position, only the current one is sent.',
  ping: 'Keeps the connection open.',
}

interface Message extends Json {
  name: string
  payload: Json
}

function buildMessage(name: string, summary: string, payload: Json, event?: unknown): [string, Message] {
  const example = event === undefined ? buildSample(payload) : { type: 'event', event }
  const message = { name, summary, payload, examples: [{ payload: example }] }
  return [`${name.includes(':') ? 'on' : ''}${pascalCase(name)}`, message]
}

function buildEventMessage(name: string, summary: string, schema: Json): [string, Message] {
  const payload = {
    type: 'object',
    properties: { type: { type: 'string', const: 'event' }, event: schema },
    required: ['type', 'event'],
  }
  return buildMessage(name, summary, payload, buildEventExample(schema))
}

function buildTopicMessage(topic: Topic): [string, Message] {
  const [key, message] = buildEventMessage(topic.topic, `Sent when ${topic.when}.`, buildEventSchema(topic))
  return [key, { ...message, 'x-read-permission': getReadPermission(topic.topic) }]
}

type Option = z.ZodObject<Record<string, z.ZodType>>

const buildControlMessages = (options: readonly z.core.$ZodType[], key: string): [string, Message][] =>
  options.flatMap((option) => {
    const schema = toJsonSchema(option as Option, 'output')
    const name = String((schema.properties as Record<string, Json>)[key]!.const)
    return name === 'event' ? [] : [buildMessage(name, SUMMARIES[name as keyof typeof SUMMARIES], schema)]
  })

const toRefs = (names: readonly string[]) => names.map((name) => ({ $ref: `${CHANNEL}/messages/${name}` }))

function buildOperations(events: readonly string[]): Json {
  const channel = { $ref: CHANNEL }
  const receive = (name: string, replies: readonly string[]): Json => ({
    action: 'receive',
    channel,
    messages: toRefs([name]),
    reply: { channel, messages: toRefs([...replies, 'Error']) },
  })
  return {
    sendEvents: {
      action: 'send',
      channel,
      summary: 'Sends each new event that the token may read.',
      messages: toRefs(events),
    },
    receiveSync: receive('Sync', [...events, 'Position']),
    receivePing: receive('Ping', ['Pong']),
  }
}

/** In AsyncAPI it is the name of a property, in OpenAPI an object. */
function withoutDiscriminators(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDiscriminators)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, part]) => key !== 'discriminator' || typeof part !== 'object')
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutDiscriminators(part)]))
}

export function buildAsyncApi(topics: readonly Topic[], shapes: ReadonlyMap<string, z.ZodType>, version: string): Json {
  const custom = buildEventMessage('custom', 'Sent when a caller emits an event with a custom topic.', ANY_EVENT)
  const control = buildControlMessages(SocketMessage.options, 'type')
  const events = [...topics.map(buildTopicMessage), custom, ...control.filter(([name]) => name === 'TooLarge')]
  const messages = {
    ...Object.fromEntries([...events, ...control]),
    ...Object.fromEntries(buildControlMessages(SocketRequest.options, 'action')),
  }
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Wharf live events',
      version,
      description:
        'The messages of the WebSocket as the platform sends and receives them. `GET /api/v1/subscription` returns the address as `webSocketUrl` and a token. ' +
        `An event above ${formatBytes(SOCKET_MESSAGE_BYTES)} has an empty payload and a \`dataUrl\` that returns it.`,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      live: {
        host: '{host}',
        pathname: '/{stage}',
        protocol: 'wss',
        description: 'The `webSocketUrl` of a subscription. On your machine, the protocol is `ws`.',
        variables: {
          host: { description: 'Host of the WebSocket API, such as `abcdef1234.execute-api.us-east-1.amazonaws.com`.' },
          stage: { default: 'dev', description: 'Stage of the deployment.' },
        },
        security: [{ $ref: '#/components/securitySchemes/subscriptionToken' }],
      },
    },
    channels: {
      live: {
        address: '/',
        title: 'Live events',
        description: 'Events of the environment or space of the token.',
        servers: [{ $ref: '#/servers/live' }],
        messages,
        bindings: {
          ws: { query: { type: 'object', properties: { auth: { type: 'string' } }, required: ['auth'] } },
        },
      },
    },
    operations: buildOperations(events.map(([name]) => name)),
    components: {
      schemas: {},
      securitySchemes: {
        subscriptionToken: {
          type: 'httpApiKey',
          name: 'auth',
          in: 'query',
          description: `The \`token\` of \`GET /api/v1/subscription\`, valid for ${SUBSCRIPTION_MINUTES} minutes.`,
        },
      },
    },
  }
  return withoutDiscriminators(describeWithin(withComponents(document, shapes), 'live')) as Json
}
