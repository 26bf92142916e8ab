/** Exports of agents: archives of their code, made by jobs `agent:agent-export`. */
import * as z from 'zod'
import { AgentExport } from './agent.ts'
import { endpoint } from './endpoint.ts'
import { Id, scoped } from './ids.ts'
import { data, paged, pageQuery, Success } from './page.ts'

const at = 'params.agentExportId'
const params = z.object({ agentExportId: Id })
const example = { params: { agentExportId: '{agentExportId}' } }

export const list = endpoint({
  id: 'agents.exports',
  method: 'GET',
  path: '/agent-exports',
  summary: 'Lists exports of agents, newest first',
  description:
    'A job makes one: `POST /jobs` with type `agent`, operation `agent-export`, the agent as `source` and `config.exportType`. ' +
    'Its outcome tells where the archive is downloaded.',
  policy: { can: 'agents:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    agentId: scoped('agent').optional(),
    ...pageQuery(20, 100),
  }),
  reply: paged(AgentExport),
  errors: ['not-found'],
  example: { query: { environmentId: '{environmentId}', agentId: '{agentId}' } },
})

export const get = endpoint({
  id: 'agents.getExport',
  method: 'GET',
  path: '/agent-exports/{agentExportId}',
  summary: 'Reads an export of an agent, without the archive',
  policy: { can: 'agents:read', on: 'agentExport', at },
  params,
  reply: data(AgentExport),
  example,
})

export const download = endpoint({
  id: 'agents.downloadExport',
  method: 'GET',
  path: '/agent-exports/{agentExportId}/download',
  summary: "Downloads an agent's code as a .tgz",
  description:
    'One folder named as the agent, with its `package.json` where its source map has one (`x_package`), and `agent.json`: the settings ' +
    'it was deployed with. Whoever may deploy agents may read what they are made of. Large archives are answered by a redirect.',
  policy: { can: 'agents:write', on: 'agentExport', at },
  audit: 'read',
  params,
  reply: 'bytes',
  replyTypes: ['application/gzip'],
  example,
})

export const remove = endpoint({
  id: 'agents.removeExport',
  method: 'DELETE',
  path: '/agent-exports/{agentExportId}',
  summary: 'Deletes an export with its archive; with its agent it goes by itself',
  policy: { can: 'agents:write', on: 'agentExport', at },
  params,
  reply: Success,
  example,
})
