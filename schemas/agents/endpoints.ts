/** Endpoints for agents: event listeners deployed as Lambda functions, and the records of their runs. */
import * as z from 'zod'
import { ActorRole, AssignRole } from '../access/roles.ts'
import { MAX_EVENTS_PER_REPLAY, Replay, Replayed, validateReplay } from '../events/shape.ts'
import { BUNDLE_BYTES } from '../kit/byte-limits.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list as listOf, paged, pageQuery, QueryBoolean, Success } from '../kit/page.ts'
import { Agent, AgentCode, AgentConfig, AgentLog, AgentUpload, AgentVersion, Execution } from './shape.ts'

const AgentReplay = Replay.extend({ failed: nullish(z.literal(true)) }).superRefine(validateReplay('failed'))

const RUNS_DESCRIPTION =
  'A run of more than 5 seconds is listed as `running` until its last attempt ends. Runs are stored for 30 days.'

const idPath = 'params.agentId'
const params = z.object({ agentId: Id })
const example = { params: { agentId: '{agentId}' } }
const environmentQuery = z.object({ environmentId: scoped('environment').optional() })

export const create = endpoint({
  id: 'agents.create',
  method: 'POST',
  path: '/agents',
  summary: 'Deploys an agent, or a new version if the slug exists',
  description:
    'The agent runs as a Lambda function with its own key (`FLATFILE_BEARER_TOKEN`), for every event in its environment whose topic is in `topics`. ' +
    '`source` is a CommonJS module that exports `routeEvent(event)` or `dispatchEvent(event)`. A failed event is retried twice, then listed in the logs with its error. ' +
    'If requests are limited to 6 MB (AWS), compress larger bundles with `Content-Encoding: gzip`, or upload them first (`POST /agents/uploads`) and pass the `uploadId`.',
  policy: { can: 'agents:write', on: 'environment', at: 'query.environmentId', optional: true },
  query: z.object({ environmentId: scoped('environment').optional() }),
  body: AgentConfig,
  reply: data(Agent),
  errors: ['conflict', 'too-large'],
  bodyBytes: BUNDLE_BYTES,
  example: {
    query: { environmentId: '{environmentId}' },
    body: {
      slug: 'greeter',
      topics: ['space:created'],
      compiler: 'js',
      source: "exports.routeEvent = async (event) => console.log('Welcome to', event.payload.name)",
    },
  },
})

export const createUpload = endpoint({
  id: 'agents.createUpload',
  method: 'POST',
  path: '/agents/uploads',
  summary: 'Starts the upload of a bundle that is too large for a request',
  description:
    'PUT `{"source","sourceMap"}` as JSON, optionally gzipped, to the `url`. Then deploy with `uploadId` instead of `source`. Uploads are stored for a day.',
  policy: { can: 'agents:write', on: 'environment', at: 'query.environmentId', optional: true },
  query: z.object({ environmentId: scoped('environment').optional() }),
  reply: data(AgentUpload),
  example: { query: { environmentId: '{environmentId}' } },
})

export const list = endpoint({
  id: 'agents.list',
  method: 'GET',
  path: '/agents',
  summary: 'Lists agents, newest first, without their source code',
  policy: { can: 'agents:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    isSystem: QueryBoolean.optional(),
    search: z.string().optional(),
    ...pageQuery(100),
  }),
  reply: paged(Agent),
  example: { query: { environmentId: '{environmentId}' } },
})

const DateTimeInput = z.iso.datetime({ offset: true })

/** `since` is inclusive, `until` exclusive. `success=false` selects failures not yet replayed successfully. */
const runPageQuery = {
  spaceId: narrowing('space').optional(),
  topic: z.string().optional(),
  since: DateTimeInput.optional(),
  until: DateTimeInput.optional(),
  success: QueryBoolean.optional(),
  ...pageQuery(20, 100),
}

export const environmentLogs = endpoint({
  id: 'agents.environmentLogs',
  method: 'GET',
  path: '/agents/logs',
  summary: "Lists the runs of an environment's agents with their logs, newest event first",
  description: RUNS_DESCRIPTION,
  policy: { can: 'agents:read', on: 'environment', at: 'query.environmentId', optional: true },
  query: z.object({ environmentId: scoped('environment').optional(), ...runPageQuery }),
  reply: paged(AgentLog),
  example: { query: { environmentId: '{environmentId}' } },
})

export const executions = endpoint({
  id: 'agents.executions',
  method: 'GET',
  path: '/agents/executions',
  summary: "Lists the runs of an environment's agents, newest event first",
  description: RUNS_DESCRIPTION,
  policy: { can: 'agents:read', on: 'environment', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    agentId: narrowing('agent').optional(),
    ...runPageQuery,
  }),
  reply: paged(Execution),
  example: { query: { environmentId: '{environmentId}' } },
})

export const log = endpoint({
  id: 'agents.log',
  method: 'GET',
  path: '/agents/log/{eventId}',
  summary: "Reads the agents' log of an event",
  description:
    'If several agents ran for the event, or one for several parts of it, their logs are concatenated and `success` is true only if all succeeded. Returns 404 until a run has finished.',
  policy: { can: 'agents:read', on: 'event', at: 'params.eventId' },
  params: z.object({ eventId: Id }),
  query: z.object({ environmentId: scoped('environment').optional() }),
  reply: data(AgentLog.omit({ id: true, agentId: true, status: true })),
  errors: ['not-found'],
  example: { params: { eventId: '{eventId}' }, note: 'Returns 404 if no agent ran for the event.' },
})

export const get = endpoint({
  id: 'agents.get',
  method: 'GET',
  path: '/agents/{agentId}',
  summary: 'Reads an agent, without its source code',
  policy: { can: 'agents:read', on: 'agent', at: idPath },
  params,
  query: environmentQuery,
  reply: data(Agent),
  example,
})

export const update = endpoint({
  id: 'agents.update',
  method: 'PATCH',
  path: '/agents/{agentId}',
  summary: 'Disables or enables an agent',
  description:
    'Events do not call a disabled agent, and it does not receive them when it is enabled again. Runs in progress and their retries continue. ' +
    'A new version of a disabled agent is deployed disabled.',
  policy: { can: 'agents:write', on: 'agent', at: idPath },
  params,
  query: environmentQuery,
  body: z.object({ isActive: z.boolean() }),
  reply: data(Agent),
  errors: ['conflict'],
  example: { ...example, body: { isActive: true } },
})

export const code = endpoint({
  id: 'agents.code',
  method: 'GET',
  path: '/agents/{agentId}/code',
  summary: "Reads the code of an agent's running version",
  description:
    'Returns the original files if the source map has them, otherwise the bundle. Callers who can deploy agents can read their code.',
  policy: { can: 'agents:write', on: 'agent', at: idPath },
  audit: 'read',
  params,
  reply: data(AgentCode),
  errors: ['conflict'],
  also: ['large'],
  example,
})

export const remove = endpoint({
  id: 'agents.remove',
  method: 'DELETE',
  path: '/agents/{agentId}',
  summary: 'Deletes an agent with its function; its key stops working immediately',
  policy: { can: 'agents:write', on: 'agent', at: idPath },
  params,
  query: environmentQuery,
  reply: Success,
  example,
})

export const versions = endpoint({
  id: 'agents.versions',
  method: 'GET',
  path: '/agents/{agentId}/versions',
  summary: "Lists an agent's versions, newest first, without their source code",
  policy: { can: 'agents:read', on: 'agent', at: idPath },
  params,
  reply: listOf(AgentVersion),
  example,
})

const versionEndpoint = {
  path: '/agents/{agentId}/versions/{agentVersionId}/revert',
  params: z.object({ agentId: Id, agentVersionId: scoped('agentVersion') }),
  reply: data(AgentVersion),
  errors: ['not-found', 'conflict'],
  example: { params: { agentId: '{agentId}', agentVersionId: '{agentVersionId}' } },
} as const

export const redeploy = endpoint({
  ...versionEndpoint,
  id: 'agents.redeploy',
  method: 'POST',
  summary: 'Redeploys an earlier version of an agent as a new version',
  description:
    'Restores the bundle, source map, topics and settings of that version. Safe to repeat: does nothing if that version is already running.',
  policy: { can: 'agents:write', on: 'agent', at: idPath },
})

export const revert = endpoint({
  ...versionEndpoint,
  id: 'agents.revert',
  method: 'GET',
  summary: 'Redeploys an earlier version; for published clients, which send a GET',
  description:
    'The only GET that changes state. Accepts secret keys, agent keys and personal access tokens. Returns 403 for ' +
    'browser requests (with `Origin`, `Referer`, `Cookie` or `Sec-Fetch-Site`) and signed-in users, which can use the POST.',
  policy: { can: 'agents:write', on: 'agent', at: idPath, outsideBrowsers: true },
})

export const logs = endpoint({
  id: 'agents.logs',
  method: 'GET',
  path: '/agents/{agentId}/logs',
  summary: "Lists an agent's runs with their logs, newest event first",
  description: RUNS_DESCRIPTION,
  policy: { can: 'agents:read', on: 'agent', at: idPath },
  params,
  query: z.object({ environmentId: scoped('environment').optional(), ...runPageQuery }),
  reply: paged(AgentLog),
  example,
})

export const agentExecutions = endpoint({
  id: 'agents.agentExecutions',
  method: 'GET',
  path: '/agents/{agentId}/executions',
  summary: "Lists an agent's runs, newest event first",
  description: `${RUNS_DESCRIPTION} \`success=false\` lists events that failed after all attempts, with their errors.`,
  policy: { can: 'agents:read', on: 'agent', at: idPath },
  params,
  query: z.object({ environmentId: scoped('environment').optional(), ...runPageQuery }),
  reply: paged(Execution),
  example,
})

export const replay = endpoint({
  id: 'agents.replay',
  method: 'POST',
  path: '/agents/{agentId}/replay',
  summary: 'Redelivers events to an agent',
  description:
    'Selects events by `eventIds`, by `failed: true` (all failures not yet resolved), or by `since` (all events of the agent’s topics from that time). ' +
    'Failures and time windows can be filtered by `since` (inclusive), `until` (exclusive), `topic` and `spaceId`. ' +
    'Only this agent is invoked, with the same event ids; the new result replaces the recorded one. ' +
    `Redelivers at most ${MAX_EVENTS_PER_REPLAY} events per call, oldest first. To continue, repeat the call with \`after\` set to \`next\` from the response.`,
  policy: { can: 'agents:write', on: 'agent', at: idPath },
  params,
  body: AgentReplay,
  reply: data(Replayed),
  errors: ['not-found', 'conflict'],
  example: { params: { agentId: '{agentId}' }, body: { eventIds: ['{eventId}'] } },
})

export const roles = endpoint({
  id: 'agents.roles',
  method: 'GET',
  path: '/agents/{agentId}/roles',
  summary: "Lists an agent's roles",
  description: 'A newly deployed agent has the role `Agent` in its environment.',
  policy: { can: 'agents:read', on: 'agent', at: idPath },
  params,
  reply: listOf(ActorRole),
  example,
})

export const assignRole = endpoint({
  id: 'agents.assignRole',
  method: 'POST',
  path: '/agents/{agentId}/roles',
  summary: 'Assigns a role to an agent in its environment, or in one of its spaces',
  description:
    'An agent has the permissions of all its roles. To restrict it, assign a lesser role and remove the one it got on deployment.',
  policy: { can: 'roles:write', on: 'agent', at: idPath },
  audit: 'change',
  params,
  body: AssignRole,
  reply: data(ActorRole),
  errors: ['not-found', 'conflict'],
  example: { ...example, body: { roleId: 'us_rol_reader', resourceId: '{spaceId}' } },
})

export const removeRole = endpoint({
  id: 'agents.removeRole',
  method: 'DELETE',
  path: '/agents/{agentId}/roles/{actorRoleId}',
  summary: 'Removes a role from an agent, effective immediately',
  policy: { can: 'roles:write', on: 'agent', at: idPath },
  audit: 'change',
  params: z.object({ agentId: Id, actorRoleId: scoped('actorRole') }),
  reply: Success,
  errors: ['not-found', 'conflict'],
  example: { params: { agentId: '{agentId}', actorRoleId: '{agentRoleId}' } },
})
