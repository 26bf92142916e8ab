/** Endpoints for agent exports: archives of agent code, created by `agent:agent-export` jobs. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { data, paged, pageQuery, Success } from '../kit/page.ts'
import { AgentExport } from './shape.ts'

const idPath = 'params.agentExportId'
const params = z.object({ agentExportId: Id })
const example = { params: { agentExportId: '{agentExportId}' } }

export const list = endpoint({
  id: 'agents.exports',
  method: 'GET',
  path: '/agent-exports',
  summary: 'Lists agent exports, newest first',
  description:
    'To create an export, create a job with `POST /jobs`: type `agent`, operation `agent-export`, the agent as `source`, and `config.exportType`. ' +
    'The outcome of the job contains the download link.',
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
  summary: 'Reads an agent export, without the archive',
  policy: { can: 'agents:read', on: 'agentExport', at: idPath },
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
    'The archive contains a folder named after the agent with its files, `package.json` if the source map has one (`x_package`), and `agent.json` with the deployed settings. ' +
    'Callers who can deploy agents can download their code. Large archives are returned as a redirect.',
  policy: { can: 'agents:write', on: 'agentExport', at: idPath },
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
  summary: 'Deletes an agent export with its archive; exports are also deleted with their agent',
  policy: { can: 'agents:write', on: 'agentExport', at: idPath },
  params,
  reply: Success,
  example,
})
