/** Everything the platform offers to perform: one line each. */
import type { CreateJob } from '../../../schemas/job.ts'
import { may, type Principal } from '../../auth/principal.ts'
import { forbiddenTo } from '../../core/errors.ts'
import { isImmediate } from '../create.ts'
import type { JobPlace } from '../references.ts'
import { exportAgent } from './agent-export.ts'
import { exportSheet, exportWorkbook } from './export.ts'
import { extract } from './file-extract.ts'
import type { JobRequest, Offer, Planned } from './offer.ts'
import { deleteRecords } from './workbook-delete-records.ts'
import { findReplace } from './workbook-find-replace.ts'
import { map } from './workbook-map.ts'
import { mutateRecords } from './workbook-mutate-records.ts'

export const OFFERS: readonly Offer[] = [
  extract,
  map,
  deleteRecords,
  mutateRecords,
  findReplace,
  exportSheet,
  exportWorkbook,
  exportAgent,
]

/** The offer a job is performed by; undefined for the jobs of listeners and agents. */
export async function offerFor(job: JobRequest): Promise<Offer | undefined> {
  const name = `${job.type}:${job.operation}`
  const found = OFFERS.find(({ operation }) => operation.name === name || operation.also?.some((also) => also === name))
  return found && (await found.takes(job)) ? found : undefined
}

/** Checks a job that the platform will perform, as a caller configures it. Throws 400, 403 or 404. */
export async function checkedOffer(caller: Principal, job: JobRequest, place: JobPlace): Promise<Offer | undefined> {
  const offer = await offerFor(job)
  const { accountId } = caller
  if (offer && takesSnapshot(job) && !may(caller, 'snapshots:write', { accountId, ...place }))
    throw forbiddenTo('snapshots:write')
  await offer?.check?.(job, place)
  return offer
}

const takesSnapshot = ({ config }: JobRequest): boolean => typeof config?.snapshotLabel === 'string'

/** Checks a new job, and answers its plan when it is to wait with one. Throws 400, 403 or 404. */
export async function planAtCreation(caller: Principal, job: CreateJob, place: JobPlace): Promise<Planned | undefined> {
  const offer = await checkedOffer(caller, job, place)
  return isImmediate(job) ? undefined : offer?.plan?.(job, place)
}
