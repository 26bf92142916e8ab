import { decodeTime } from 'ulid'
import * as contracts from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { getRunningVersion } from '../../agents/running-version.ts'
import { notFound } from '../../core/errors.ts'
import { deriveId } from '../../core/ids.ts'
import { AgentExports } from '../../entities/agent-exports.ts'
import { Agents } from '../../entities/agents.ts'
import { Autobuilds } from '../../entities/autobuilds.ts'
import { deleteObject, putObject } from '../../objects/store.ts'
import { type JobRequest, parseConfig } from '../request/config.ts'
import type { JobLocation } from '../request/resources.ts'
import type { JobResult, PlatformOperation, Run } from './operation.ts'

export const exportAgent: PlatformOperation = {
  contract: contracts.exportAgent,
  matches: () => true,
  validate: async (job, location) => void (await resolveAgentExport(job, location)),
  run: runAgentExport,
}

async function runAgentExport({ job, actor, op, progress }: Run): Promise<JobResult> {
  const { exportType, agent, version } = await resolveAgentExport(job, job)
  const { id: agentId, accountId, environmentId, slug } = agent
  const [{ buildArchive }, { buildExportKey, loadBundle }] = await Promise.all([
    import('../../agents/export-archive.ts'),
    import('../../agents/package-store.ts'),
  ])
  const autobuilds = exportType === 'AUTOBUILD_INLINED' ? await Autobuilds.inEnvironment(environmentId) : undefined
  const bundle = await loadBundle(version.packageKey)
  const { bytes, files, hasSources } = await buildArchive({ exportType, version, bundle, autobuilds })
  await progress(1, message('jobs.filesPacked', { count: files }))
  const id = deriveId('agentExport', {
    time: decodeTime(job.id.slice(job.id.lastIndexOf('_') + 1)),
    sequence: 0,
    of: op,
  })
  const objectKey = buildExportKey(agentId, id)
  const fileName = `${slug}-${exportType.toLowerCase()}.tgz`
  await putObject(objectKey, bytes, { contentType: 'application/gzip' })
  const summary = message('jobs.agentFiles', { agent: slug, count: files })
  const hasRequestedFiles = hasSources || exportType === 'SYSTEM_COMBINED'
  return {
    info: message('jobs.agentVersionExported', { version: String(version.version), agent: slug, count: files }),
    result: { agentExportId: id, agentId, version: version.version, files },
    outcome: {
      acknowledge: true,
      heading: message('jobs.agentExportFinished'),
      message: hasRequestedFiles ? summary : message('jobs.bundleInsteadOfSources', { result: summary }),
      next: { type: 'download', url: `/v1/agent-exports/${id}/download`, fileName },
    },
    async inTransaction(tx) {
      if (!(await Agents.get(agentId))) {
        await deleteObject(objectKey)
        throw notFound('agent', agentId)
      }
      const exportFields = {
        id,
        agentId,
        exportType,
        accountId,
        environmentId,
        objectKey,
        fileName,
        size: bytes.length,
      }
      const timestamps = { createdAt: tx.now, updatedAt: tx.now }
      tx.write(
        Agents.assertExists(agentId),
        AgentExports.create({ ...exportFields, ...timestamps, createdBy: actor.actorId }),
      )
    },
  }
}

async function resolveAgentExport(job: JobRequest, location: JobLocation) {
  const { exportType } = parseConfig(contracts.exportAgent, job)
  const agent = await Agents.get(job.source)
  if (!agent || agent.environmentId !== location.environmentId) throw notFound('agent', job.source)
  return { exportType, agent, version: await getRunningVersion(agent) }
}
