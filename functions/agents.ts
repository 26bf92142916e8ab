/** Agents over HTTP. */

import { runningFor } from '../lib/agents/running.ts'
import { logOf } from '../lib/agents/runs.ts'
import { beginUpload, uploadedBundle } from '../lib/agents/uploads.ts'
import { placesStay, rolesOfAgent, shownRole, wantedRole, withoutRole, withRole } from '../lib/auth/roles.ts'
import { loadScope } from '../lib/auth/scopes.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import { onDemand } from '../lib/core/on-demand.ts'
import { AgentExports } from '../lib/entities/agent-exports.ts'
import { AgentVersions, shownVersion } from '../lib/entities/agent-versions.ts'
import { Agents, type StoredAgent } from '../lib/entities/agents.ts'
import { type ExecutionQuery, Executions } from '../lib/entities/executions.ts'
import { asEvent } from '../lib/events/store.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { storedReply } from '../lib/http/stored.ts'
import { deleteObject } from '../lib/objects/store.ts'
import type { Tx } from '../lib/tx.ts'
import * as agentExports from '../schemas/agent-exports.ts'
import * as agents from '../schemas/agents.ts'
import { type PageRequest, success } from '../schemas/page.ts'

/** Deploying brings the client of Lambda, which most requests do not need: loaded on demand, like replaying. */
const deployment = onDemand(() => import('../lib/agents/deploy.ts'))

export const create = serve(agents.create)(async ({ environment, body, tx }) => {
  const home = { accountId: environment.accountId, environmentId: environment.id }
  const { source, sourceMap, uploadId } = body
  // One of the two is there, the contract sees to it.
  const bundle = source === undefined ? await uploadedBundle(environment.id, uploadId!) : { source, sourceMap }
  const { deployAgent } = await deployment()
  return { data: await deployAgent(tx, home, body, bundle) }
})

export const createUpload = serve(agents.createUpload)(async ({ environment, tx }) => ({
  data: await beginUpload(environment.id, tx.now),
}))

export const list = serve(agents.list)(async ({ environments, query }) => {
  const found = (await Promise.all(environments.map(({ id }) => Agents.inEnvironment(id)))).flat()
  const search = query.search?.toLowerCase()
  const wanted = found.filter(
    (agent) =>
      (query.isSystem === undefined || agent.isSystem === query.isSystem) &&
      (search === undefined || `${agent.slug}\n${agent.namespace ?? ''}`.toLowerCase().includes(search)),
  )
  return pageOf(wanted, query)
})

const refuseElsewhere = (agent: { id: string; environmentId: string }, environmentId = agent.environmentId) => {
  if (environmentId !== agent.environmentId) throw notFound('agent', agent.id)
}

export const get = serve(agents.get)(async ({ agent, query }) => {
  refuseElsewhere(agent, query.environmentId)
  return { data: agent }
})

export const remove = serve(agents.remove)(async ({ agent, query, tx }) => {
  refuseElsewhere(agent, query.environmentId)
  const { removeAgent } = await deployment()
  await removeAgent(tx, agent)
  return success
})

export const versions = serve(agents.versions)(async ({ agent }) => ({
  data: (await AgentVersions.ofAgent(agent.id)).map(shownVersion),
}))

async function deployAgain(tx: Tx, agent: StoredAgent, agentVersionId: string) {
  const version = await AgentVersions.get(agentVersionId)
  if (!version || version.agentId !== agent.id) throw notFound('agent version', agentVersionId)
  const { revertAgent } = await deployment()
  return { data: shownVersion(await revertAgent(tx, agent, version)) }
}

export const redeploy = serve(agents.redeploy)(({ agent, params, tx }) => deployAgain(tx, agent, params.agentVersionId))

export const revert = serve(agents.revert)(({ agent, params, tx }) => deployAgain(tx, agent, params.agentVersionId))

export const logs = serve(agents.logs)(async ({ agent, query }) => {
  refuseElsewhere(agent, query.environmentId)
  return logPage({ ...query, environmentId: agent.environmentId, agentId: agent.id }, query)
})

export const environmentLogs = serve(agents.environmentLogs)(async ({ environment, query }) =>
  logPage({ ...query, environmentId: environment.id }, query),
)

export const executions = serve(agents.executions)(async ({ environment, query }) =>
  runsPage({ ...query, environmentId: environment.id }, query),
)

export const log = serve(agents.log)(async ({ event, query }) => {
  if (query.environmentId !== undefined && query.environmentId !== event.environmentId)
    throw notFound('event', event.id)
  const data = await logOf(asEvent(event))
  if (!data) throw notFound('log of event', event.id)
  return { data }
})

export const agentExecutions = serve(agents.agentExecutions)(async ({ agent, query }) => {
  refuseElsewhere(agent, query.environmentId)
  return runsPage({ ...query, environmentId: agent.environmentId, agentId: agent.id }, query)
})

export const replay = serve(agents.replay)(async ({ agent, body, caller }) => {
  const { eventIds, failed, spaceId, ...window } = body
  const { redeliver, redeliverFailed, redeliverWindow } = await import('../lib/agents/replay.ts')
  if (eventIds) {
    const events = await Promise.all(eventIds.map((id) => loadScope('event', caller, id)))
    return { data: await redeliver(agent, events.map(asEvent)) }
  }
  if (spaceId !== undefined) await loadScope('space', caller, spaceId)
  const which = { ...window, spaceId }
  return { data: failed ? await redeliverFailed(agent, which) : await redeliverWindow(agent, which) }
})

export const roles = serve(agents.roles)(async ({ agent }) => ({
  data: rolesOfAgent(agent).map((role) => shownRole(agent, role)),
}))

export const assignRole = serve(agents.assignRole)(async ({ agent, body, caller, tx }) => {
  const wanted = await wantedRole(caller, 'agent', body, tx.now)
  if (wanted.environmentId !== agent.environmentId)
    throw invalidField('resourceId', 'must be the environment of the agent or a space of it')
  const { roles: actorRoles, role } = withRole(rolesOfAgent(agent), wanted)
  tx.write(Agents.replace(agent, { ...agent, actorRoles }), ...placesStay([role]))
  return { data: shownRole(agent, role) }
})

export const removeRole = serve(agents.removeRole)(async ({ agent, params, tx }) => {
  tx.write(Agents.replace(agent, { ...agent, actorRoles: withoutRole(rolesOfAgent(agent), params.actorRoleId) }))
  return success
})

export const exports = serve(agentExports.list)(async ({ environments, query, caller }) => {
  if (query.agentId === undefined) {
    const found = await Promise.all(environments.map(({ id }) => AgentExports.inEnvironment(id)))
    return pageOf(found.flat(), query)
  }
  const agent = await loadScope('agent', caller, query.agentId)
  if (!environments.some(({ id }) => id === agent.environmentId)) throw notFound('agent', agent.id)
  return pageOf(await AgentExports.ofAgent(agent.id), query)
})

export const getExport = serve(agentExports.get)(async ({ agentExport }) => ({ data: agentExport }))

export const downloadExport = serve(agentExports.download)(async ({ agentExport }) => {
  const { objectKey, fileName: name, size } = agentExport
  return storedReply({ objectKey, name, size, mimetype: 'application/gzip' })
})

export const removeExport = serve(agentExports.remove)(async ({ agentExport, tx }) => {
  // The bytes first: those of an export whose item is gone could not be found again.
  await deleteObject(agentExport.objectKey)
  tx.write(AgentExports.remove(agentExport))
  return success
})

const runsPage = async (query: ExecutionQuery, page: PageRequest) =>
  Executions.page(query, page, await runningFor(query))

async function logPage(query: ExecutionQuery, page: PageRequest) {
  const { data, pagination } = await runsPage(query, page)
  return { data: await Executions.withLogs(data), pagination }
}

export const handler = lambda(
  create,
  createUpload,
  list,
  get,
  remove,
  versions,
  redeploy,
  revert,
  logs,
  environmentLogs,
  executions,
  log,
  agentExecutions,
  replay,
  roles,
  assignRole,
  removeRole,
  exports,
  getExport,
  downloadExport,
  removeExport,
)
