import { getEventLog } from '../lib/agents/executions.ts'
import { findUnfinishedRuns } from '../lib/agents/running.ts'
import { createBundleUpload, loadUploadedBundle } from '../lib/agents/uploads.ts'
import { loadScope } from '../lib/auth/load-resource.ts'
import {
  assertLocationsExist,
  createRoleAssignment,
  getAgentRoles,
  serializeRole,
  withoutRole,
  withRole,
} from '../lib/auth/roles.ts'
import { conflict, invalidField, notFound } from '../lib/core/errors.ts'
import { lazy } from '../lib/core/lazy.ts'
import { AgentExports } from '../lib/entities/agent-exports.ts'
import { AgentVersions, serializeVersion } from '../lib/entities/agent-versions.ts'
import { Agents, type StoredAgent } from '../lib/entities/agents.ts'
import { type ExecutionQuery, Executions } from '../lib/entities/executions.ts'
import { toEvent } from '../lib/events/store.ts'
import { createObjectReply } from '../lib/http/object-response.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { deleteObject } from '../lib/objects/store.ts'
import type { Tx } from '../lib/tx.ts'
import * as agents from '../schemas/agents/endpoints.ts'
import * as agentExports from '../schemas/agents/exports.ts'
import { type PageRequest, success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'

const importDeploy = lazy(() => import('../lib/agents/deploy.ts'))

export const create = serve(agents.create)(async ({ environment, body, tx }) => {
  const location = { accountId: environment.accountId, environmentId: environment.id }
  const { source, sourceMap, uploadId } = body
  const bundle = source === undefined ? await loadUploadedBundle(environment.id, uploadId!) : { source, sourceMap }
  const { deployAgent } = await importDeploy()
  return { data: await deployAgent(tx, location, body, bundle) }
})

export const createUpload = serve(agents.createUpload)(async ({ environment, tx }) => ({
  data: await createBundleUpload(environment.id, tx.now),
}))

export const list = serve(agents.list)(async ({ environments, query }) => {
  const found = (await Promise.all(environments.map(({ id }) => Agents.inEnvironment(id)))).flat()
  const search = query.search?.toLowerCase()
  const filtered = found.filter(
    (agent) =>
      (query.isSystem === undefined || agent.isSystem === query.isSystem) &&
      (search === undefined || `${agent.slug}\n${agent.namespace ?? ''}`.toLowerCase().includes(search)),
  )
  return paginate(filtered, query)
})

const assertSameEnvironment = (agent: { id: string; environmentId: string }, environmentId = agent.environmentId) => {
  if (environmentId !== agent.environmentId) throw notFound('agent', agent.id)
}

export const get = serve(agents.get)(async ({ agent, query }) => {
  assertSameEnvironment(agent, query.environmentId)
  return { data: agent }
})

export const update = serve(agents.update)(async ({ agent, query, body, tx }) => {
  assertSameEnvironment(agent, query.environmentId)
  const { setAgentActive } = await importDeploy()
  return { data: await setAgentActive(tx, agent, body.isActive) }
})

export const code = serve(agents.code)(async ({ agent, request }) => {
  const [{ readCode }, { createLargeJsonReply }] = await Promise.all([
    import('../lib/agents/code.ts'),
    import('../lib/http/large-response.ts'),
  ])
  const { environmentId } = agent
  return createLargeJsonReply(request, { environmentId }, 'code', { data: await readCode(agent) })
})

export const remove = serve(agents.remove)(async ({ agent, query, tx }) => {
  assertSameEnvironment(agent, query.environmentId)
  const { removeAgent } = await importDeploy()
  await removeAgent(tx, agent)
  return success
})

export const versions = serve(agents.versions)(async ({ agent }) => ({
  data: (await AgentVersions.ofAgent(agent.id)).map(serializeVersion),
}))

async function redeployVersion(tx: Tx, agent: StoredAgent, agentVersionId: string) {
  const version = await AgentVersions.get(agentVersionId)
  if (!version || version.agentId !== agent.id) throw notFound('agentVersion', agentVersionId)
  const { revertAgent } = await importDeploy()
  return { data: serializeVersion(await revertAgent(tx, agent, version)) }
}

export const redeploy = serve(agents.redeploy)(({ agent, params, tx }) =>
  redeployVersion(tx, agent, params.agentVersionId),
)

export const revert = serve(agents.revert)(({ agent, params, tx }) => redeployVersion(tx, agent, params.agentVersionId))

export const logs = serve(agents.logs)(async ({ agent, query }) => {
  assertSameEnvironment(agent, query.environmentId)
  return getLogPage({ ...query, environmentId: agent.environmentId, agentId: agent.id }, query)
})

export const environmentLogs = serve(agents.environmentLogs)(async ({ environment, query }) =>
  getLogPage({ ...query, environmentId: environment.id }, query),
)

export const executions = serve(agents.executions)(async ({ environment, query }) =>
  getExecutionPage({ ...query, environmentId: environment.id }, query),
)

export const log = serve(agents.log)(async ({ event, query }) => {
  if (query.environmentId !== undefined && query.environmentId !== event.environmentId)
    throw notFound('event', event.id)
  const data = await getEventLog(toEvent(event))
  if (!data) throw notFound('eventLog', event.id)
  return { data }
})

export const agentExecutions = serve(agents.agentExecutions)(async ({ agent, query }) => {
  assertSameEnvironment(agent, query.environmentId)
  return getExecutionPage({ ...query, environmentId: agent.environmentId, agentId: agent.id }, query)
})

export const replay = serve(agents.replay)(async ({ agent, body, caller }) => {
  if (!agent.isActive) throw conflict(message('agents.disabled', { agent: agent.slug }))
  const { eventIds, failed, spaceId, ...window } = body
  const { redeliver, redeliverFailed, redeliverWindow } = await import('../lib/agents/replay.ts')
  if (eventIds) {
    const events = await Promise.all(eventIds.map((id) => loadScope('event', caller, id)))
    return { data: await redeliver(agent, events.map(toEvent)) }
  }
  if (spaceId !== undefined) await loadScope('space', caller, spaceId)
  const selection = { ...window, spaceId }
  return { data: failed ? await redeliverFailed(agent, selection) : await redeliverWindow(agent, selection) }
})

export const roles = serve(agents.roles)(async ({ agent }) => ({
  data: getAgentRoles(agent).map((role) => serializeRole(agent, role)),
}))

export const assignRole = serve(agents.assignRole)(async ({ agent, body, caller, tx }) => {
  const newRole = await createRoleAssignment(caller, 'agent', body, tx.now)
  if (newRole.environmentId !== agent.environmentId)
    throw invalidField('resourceId', message('agents.outsideEnvironment'))
  const { roles: actorRoles, role } = withRole(getAgentRoles(agent), newRole)
  tx.write(Agents.replace(agent, { ...agent, actorRoles }), ...assertLocationsExist([role]))
  return { data: serializeRole(agent, role) }
})

export const removeRole = serve(agents.removeRole)(async ({ agent, params, tx }) => {
  tx.write(Agents.replace(agent, { ...agent, actorRoles: withoutRole(getAgentRoles(agent), params.actorRoleId) }))
  return success
})

export const exports = serve(agentExports.list)(async ({ environments, query, caller }) => {
  if (query.agentId === undefined) {
    const found = await Promise.all(environments.map(({ id }) => AgentExports.inEnvironment(id)))
    return paginate(found.flat(), query)
  }
  const agent = await loadScope('agent', caller, query.agentId)
  if (!environments.some(({ id }) => id === agent.environmentId)) throw notFound('agent', agent.id)
  return paginate(await AgentExports.ofAgent(agent.id), query)
})

export const getExport = serve(agentExports.get)(async ({ agentExport }) => ({ data: agentExport }))

export const downloadExport = serve(agentExports.download)(async ({ agentExport }) => {
  const { objectKey, fileName: name, size } = agentExport
  return createObjectReply({ objectKey, name, size, mimetype: 'application/gzip' })
})

export const removeExport = serve(agentExports.remove)(async ({ agentExport, tx }) => {
  await deleteObject(agentExport.objectKey)
  tx.write(AgentExports.remove(agentExport))
  return success
})

const getExecutionPage = async (query: ExecutionQuery, page: PageRequest) =>
  Executions.page(query, page, await findUnfinishedRuns(query))

async function getLogPage(query: ExecutionQuery, page: PageRequest) {
  const { data, pagination } = await getExecutionPage(query, page)
  return { data: await Executions.attachLogs(data), pagination }
}

export const handler = lambda(
  create,
  createUpload,
  list,
  get,
  update,
  code,
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
