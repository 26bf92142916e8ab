/** Agents: listeners deployed as functions of their own, called by rules on the bus; and the records of their runs. */
import * as z from 'zod'
import { Agent, AgentConfig, AgentLog, AgentUpload, AgentVersion, Execution } from './agent.ts'
import { EnvironmentContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { REPLAYED_AT_ONCE, Replay, Replayed, replayProblem } from './events.ts'
import { Id, narrowing, scoped } from './ids.ts'
import { maybe } from './optional.ts'
import { data, list as listOf, paged, pageQuery, QueryBoolean, Success } from './page.ts'
import { ActorRole, AssignRole } from './role.ts'
import { BUNDLE_BYTES } from './sizes.ts'
import { topic } from './topic.ts'

const AgentReplay = Replay.extend({ failed: maybe(z.literal(true)) }).superRefine(replayProblem('failed'))

const RUNS =
  'A run that takes longer than 5 seconds is listed as `running` until its last attempt has ended. Runs are kept for 30 days.'

const at = 'params.agentId'
const params = z.object({ agentId: Id })
const example = { params: { agentId: '{agentId}' } }
/** Where the caller takes the agent to be: of another environment it is not found. */
const ofEnvironment = z.object({ environmentId: scoped('environment').optional() })

export const create = endpoint({
  id: 'agents.create',
  method: 'POST',
  path: '/agents',
  summary: 'Deploys an agent; the same slug deploys it anew',
  description:
    'The agent runs as a function of its own with a key of its own (`FLATFILE_BEARER_TOKEN`), for every event of its environment whose topic is in `topics`. ' +
    '`source` is a CommonJS module; its exports have `routeEvent(event)` or `dispatchEvent(event)`. An event that fails is tried twice more, then shown in the logs with its error. ' +
    'Where a request takes at most 6 MB (AWS), larger bundles are sent with `Content-Encoding: gzip`, or put to an upload first (`POST /agents/uploads`) and named by `uploadId`.',
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
  summary: 'Begins the upload of a bundle too large for a request',
  description:
    'PUT `{"source","sourceMap"}` as JSON, gzipped or not, to the `url`; then deploy with `uploadId` instead of `source`. An upload is kept for a day.',
  policy: { can: 'agents:write', on: 'environment', at: 'query.environmentId', optional: true },
  query: z.object({ environmentId: scoped('environment').optional() }),
  reply: data(AgentUpload),
  example: { query: { environmentId: '{environmentId}' } },
})

export const list = endpoint({
  id: 'agents.list',
  method: 'GET',
  path: '/agents',
  summary: 'Lists agents, newest first, without their source',
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

const Moment = z.iso.datetime({ offset: true })

/** `since` (inclusive) and `until` (exclusive) are about the events' times; `success=false` is what failed and was not replayed well. */
const pageOfRuns = {
  spaceId: narrowing('space').optional(),
  topic: z.string().optional(),
  since: Moment.optional(),
  until: Moment.optional(),
  success: QueryBoolean.optional(),
  ...pageQuery(20, 100),
}

export const environmentLogs = endpoint({
  id: 'agents.environmentLogs',
  method: 'GET',
  path: '/agents/logs',
  summary: "Lists the runs of an environment's agents with their logs, newest event first",
  description: RUNS,
  policy: { can: 'agents:read', on: 'environment', at: 'query.environmentId', optional: true },
  query: z.object({ environmentId: scoped('environment').optional(), ...pageOfRuns }),
  reply: paged(AgentLog),
  example: { query: { environmentId: '{environmentId}' } },
})

export const executions = endpoint({
  id: 'agents.executions',
  method: 'GET',
  path: '/agents/executions',
  summary: "Lists the runs of an environment's agents, newest event first",
  description: RUNS,
  policy: { can: 'agents:read', on: 'environment', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    agentId: narrowing('agent').optional(),
    ...pageOfRuns,
  }),
  reply: paged(Execution),
  example: { query: { environmentId: '{environmentId}' } },
})

export const log = endpoint({
  id: 'agents.log',
  method: 'GET',
  path: '/agents/log/{eventId}',
  summary: 'Reads what agents did with one event',
  description:
    'When several agents were called for the event, their logs follow one another and `success` means all of them. 404 while none has finished.',
  policy: { can: 'agents:read', on: 'event', at: 'params.eventId' },
  params: z.object({ eventId: Id }),
  query: z.object({ environmentId: scoped('environment').optional() }),
  reply: data(AgentLog.omit({ id: true, agentId: true, status: true })),
  errors: ['not-found'],
  example: { params: { eventId: '{eventId}' }, note: 'Of an event no agent was called for there is no log: 404.' },
})

export const get = endpoint({
  id: 'agents.get',
  method: 'GET',
  path: '/agents/{agentId}',
  summary: 'Reads an agent, without its source',
  policy: { can: 'agents:read', on: 'agent', at },
  params,
  query: ofEnvironment,
  reply: data(Agent),
  example,
})

export const remove = endpoint({
  id: 'agents.remove',
  method: 'DELETE',
  path: '/agents/{agentId}',
  summary: 'Deletes an agent with its function; its key ends at once',
  policy: { can: 'agents:write', on: 'agent', at },
  params,
  query: ofEnvironment,
  reply: Success,
  example,
})

export const versions = endpoint({
  id: 'agents.versions',
  method: 'GET',
  path: '/agents/{agentId}/versions',
  summary: "Lists an agent's versions, newest first, without their source",
  policy: { can: 'agents:read', on: 'agent', at },
  params,
  reply: listOf(AgentVersion),
  example,
})

const anEarlierVersion = {
  path: '/agents/{agentId}/versions/{agentVersionId}/revert',
  params: z.object({ agentId: Id, agentVersionId: scoped('agentVersion') }),
  reply: data(AgentVersion),
  errors: ['not-found', 'conflict'],
  example: { params: { agentId: '{agentId}', agentVersionId: '{agentVersionId}' } },
} as const

export const redeploy = endpoint({
  ...anEarlierVersion,
  id: 'agents.redeploy',
  method: 'POST',
  summary: 'Deploys an earlier version of an agent again, as a new version',
  description:
    'Bundle, source map, topics and settings become those of that version. Nothing changes when that version already runs: repeating the request is safe.',
  policy: { can: 'agents:write', on: 'agent', at },
})

export const revert = endpoint({
  ...anEarlierVersion,
  id: 'agents.revert',
  method: 'GET',
  summary: 'The same for published clients, which send it as a GET',
  description:
    'The only GET that changes state. It works with a secret key, an agent’s key or a personal access token, and is refused (403) to ' +
    'requests of a browser (with `Origin`, `Referer`, `Cookie` or `Sec-Fetch-Site`) and to signed-in users: they send the POST.',
  policy: { can: 'agents:write', on: 'agent', at, outsideBrowsers: true },
})

export const logs = endpoint({
  id: 'agents.logs',
  method: 'GET',
  path: '/agents/{agentId}/logs',
  summary: "Lists an agent's runs with their logs, newest event first",
  description: RUNS,
  policy: { can: 'agents:read', on: 'agent', at },
  params,
  query: z.object({ environmentId: scoped('environment').optional(), ...pageOfRuns }),
  reply: paged(AgentLog),
  example,
})

export const agentExecutions = endpoint({
  id: 'agents.agentExecutions',
  method: 'GET',
  path: '/agents/{agentId}/executions',
  summary: "Lists an agent's runs, newest event first",
  description: `${RUNS} \`success=false\` lists the events that failed after all attempts, each with its error.`,
  policy: { can: 'agents:read', on: 'agent', at },
  params,
  query: z.object({ environmentId: scoped('environment').optional(), ...pageOfRuns }),
  reply: paged(Execution),
  example,
})

export const replay = endpoint({
  id: 'agents.replay',
  method: 'POST',
  path: '/agents/{agentId}/replay',
  summary: 'Hands events to an agent once more',
  description:
    'Which events: `eventIds` names them; `failed: true` means all that failed and are not mended yet; `since` means all of the agent’s topics from then on. ' +
    'Failed events and those of a window can be narrowed by `since` (inclusive), `until` (exclusive), `topic` and `spaceId`. ' +
    'Only this agent is called, with the same event ids; the new outcome replaces the one on record. ' +
    `One call hands over at most ${REPLAYED_AT_ONCE} events, oldest first; when there are more, repeat it with \`after\` set to the \`next\` of the answer.`,
  policy: { can: 'agents:write', on: 'agent', at },
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
  description: 'From its deployment on an agent has the role `Agent` in its environment.',
  policy: { can: 'agents:read', on: 'agent', at },
  params,
  reply: listOf(ActorRole),
  example,
})

export const assignRole = endpoint({
  id: 'agents.assignRole',
  method: 'POST',
  path: '/agents/{agentId}/roles',
  summary: 'Gives an agent a role in its environment, or in a space of it',
  description:
    'An agent may do what any of its roles allows. To narrow it, give it the lesser role and take away the one it has from its deployment.',
  policy: { can: 'roles:write', on: 'agent', at },
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
  summary: 'Takes a role from an agent, from its next request on',
  policy: { can: 'roles:write', on: 'agent', at },
  audit: 'change',
  params: z.object({ agentId: Id, actorRoleId: scoped('actorRole') }),
  reply: Success,
  errors: ['not-found', 'conflict'],
  example: { params: { agentId: '{agentId}', actorRoleId: '{agentRoleId}' } },
})

const about = {
  payload: z.object({ agentId: Id, environmentId: Id }),
  context: z.looseObject({ ...EnvironmentContext.shape, agentId: Id }),
}
export const created = topic('agent:created', { when: 'an agent is deployed', ...about })
export const updated = topic('agent:updated', { when: 'an agent is deployed anew', ...about })
export const deleted = topic('agent:deleted', { when: 'an agent is deleted', ...about })
