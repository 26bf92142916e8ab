/** Everything the platform offers to perform: one line each. */
import type { CreateJob } from '../../../schemas/job.ts'
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

/** Checks a new job the platform will perform, and answers its plan when it is to wait with one. Throws 400 or 404. */
export async function planAtCreation(job: CreateJob, place: JobPlace): Promise<Planned | undefined> {
  const offer = await offerFor(job)
  await offer?.check?.(job, place)
  return isImmediate(job) ? undefined : offer?.plan?.(job, place)
}
