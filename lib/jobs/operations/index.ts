import type { CreateJob } from '../../../schemas/jobs/shape.ts'
import { may, type Principal } from '../../auth/principal.ts'
import { missingPermission } from '../../core/errors.ts'
import { isImmediate } from '../lifecycle/create.ts'
import type { PlanDraft } from '../mapping/build-plan.ts'
import type { JobRequest } from '../request/config.ts'
import type { JobLocation } from '../request/resources.ts'
import { exportAgent } from './agent-export.ts'
import { exportSheet, exportWorkbook } from './export.ts'
import { extract } from './file-extract.ts'
import type { PlatformOperation } from './operation.ts'
import { assistantReply } from './space-assistant-reply.ts'
import { deleteRecords } from './workbook-delete-records.ts'
import { editValues } from './workbook-edit-values.ts'
import { findReplace } from './workbook-find-replace.ts'
import { map } from './workbook-map.ts'
import { mutateRecords } from './workbook-mutate-records.ts'
import { submit } from './workbook-submit.ts'

export const OPERATIONS: readonly PlatformOperation[] = [
  extract,
  map,
  deleteRecords,
  mutateRecords,
  findReplace,
  editValues,
  submit,
  exportSheet,
  exportWorkbook,
  exportAgent,
  assistantReply,
]

export async function findOperation(job: JobRequest): Promise<PlatformOperation | undefined> {
  const name = `${job.type}:${job.operation}`
  const match = OPERATIONS.find(
    ({ contract }) => contract.name === name || contract.aliases?.some((also) => also === name),
  )
  return match && (await match.matches(job)) ? match : undefined
}

export async function validateOperation(
  caller: Principal,
  job: JobRequest,
  location: JobLocation,
): Promise<PlatformOperation | undefined> {
  const platformOperation = await findOperation(job)
  const { accountId } = caller
  if (platformOperation && takesSnapshot(job) && !may(caller, 'snapshots:write', { accountId, ...location }))
    throw missingPermission('snapshots:write')
  await platformOperation?.validate?.(job, location, caller)
  return platformOperation
}

const takesSnapshot = ({ config }: JobRequest): boolean => typeof config?.snapshotLabel === 'string'

export interface Preparation {
  automaticRecipeId: string | undefined
  draft: PlanDraft | undefined
}

/** Validates a new job, and chooses its recipe and its plan. Throws 400, 403 or 404. */
export async function prepareNewJob(caller: Principal, job: CreateJob, location: JobLocation): Promise<Preparation> {
  const platformOperation = await validateOperation(caller, job, location)
  const automaticRecipeId = await platformOperation?.chooseRecipe?.(caller, job, location)
  const draft = isImmediate(job) ? undefined : await platformOperation?.plan?.({ ...job, automaticRecipeId }, location)
  return { automaticRecipeId, draft }
}
