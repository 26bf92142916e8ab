/** Performs `agent:agent-export`: an agent's code becomes an archive that is kept under the agent. */
import { decodeTime } from 'ulid'
import * as operations from '../../../schemas/operations.ts'
import { archiveOf } from '../../agents/archive.ts'
import { exportKeyOf, keptBundle } from '../../agents/packages.ts'
import { notFound } from '../../core/errors.ts'
import { derivedId } from '../../core/ids.ts'
import { AgentExports } from '../../entities/agent-exports.ts'
import { Agents } from '../../entities/agents.ts'
import { Autobuilds } from '../../entities/autobuilds.ts'
import { deleteObject, putObject } from '../../objects/store.ts'
import { exportedBy } from '../offers/agent-export.ts'
import type { Ending, Performer, Run } from './performer.ts'

export const exportAgent: Performer = { operation: operations.exportAgent, perform }

async function perform({ job, actor, op, progress }: Run): Promise<Ending> {
  const { exportType, agent, version } = await exportedBy(job, job)
  const { id: agentId, accountId, environmentId, slug } = agent
  const autobuilds = exportType === 'AUTOBUILD_INLINED' ? await Autobuilds.inEnvironment(environmentId) : undefined
  const bundle = await keptBundle(version.packageKey)
  const { bytes, files, hasSources } = await archiveOf({ exportType, version, bundle, autobuilds })
  await progress(1, `Packed ${files} files`)
  // The same again when a run is repeated.
  const id = derivedId('agentExport', {
    time: decodeTime(job.id.slice(job.id.lastIndexOf('_') + 1)),
    sequence: 0,
    of: op,
  })
  const objectKey = exportKeyOf(agentId, id)
  const fileName = `${slug}-${exportType.toLowerCase()}.tgz`
  await putObject(objectKey, bytes, { contentType: 'application/gzip' })
  const counted = `${files} ${files === 1 ? 'file' : 'files'}`
  const without =
    hasSources || exportType === 'SYSTEM_COMBINED'
      ? ''
      : ' Its source map has no sources: this is the bundle as it runs.'
  return {
    info: `Exported version ${version.version} of ${slug}: ${counted}`,
    result: { agentExportId: id, agentId, version: version.version, files },
    outcome: {
      acknowledge: true,
      heading: 'Agent exported',
      message: `${slug}: ${counted}.${without}`,
      next: { type: 'download', url: `/v1/agent-exports/${id}/download`, fileName },
    },
    async alongside(tx) {
      if (!(await Agents.get(agentId))) {
        await deleteObject(objectKey)
        throw notFound('agent', agentId)
      }
      const made = { id, agentId, exportType, accountId, environmentId, objectKey, fileName, size: bytes.length }
      const times = { createdAt: tx.now, updatedAt: tx.now }
      tx.write(Agents.stays(agentId), AgentExports.create({ ...made, ...times, createdBy: actor.actorId }))
    },
  }
}
