import { findErrorCode } from '../../schemas/kit/error-codes.ts'
import { message } from '../../schemas/messages/index.ts'
import type { Constraint } from '../../schemas/sheets/fields.ts'
import { Proposal } from '../../schemas/threads/assistant.ts'
import { loadWithPermission } from '../auth/load-resource.ts'
import type { Principal } from '../auth/principal.ts'
import { ApiError, conflict, notFound } from '../core/errors.ts'
import { type NewProposal, Proposals, type StoredProposal } from '../entities/proposals.ts'
import { emitThreadUpdated, type NewThread } from '../entities/threads.ts'
import { type Api, type ApiRequest, RefusedError } from '../mcp/api.ts'
import { begin, type Tx } from '../tx.ts'
import { withConstraints } from '../workbooks/constraints.ts'
import { assertRules } from '../workbooks/rules.ts'
import { updateSheet } from '../workbooks/update.ts'
import type { ProposedChange } from './change.ts'
import { readVersion } from './tools/propose-others.ts'

export interface Decision {
  api: Api
  tx: Tx
  caller: Principal
  thread: NewThread
}

/** @throws 404 for a proposal of another thread */
export async function getProposal(thread: NewThread, id: string): Promise<StoredProposal> {
  const found = await Proposals.get(id)
  if (found?.threadId !== thread.id) throw notFound('proposal', id)
  return found
}

export async function applyProposal(decision: Decision, proposal: StoredProposal): Promise<Proposal> {
  if (proposal.status === 'applied') return Proposal.parse(proposal)
  if (proposal.status === 'undone') throw conflict(message('assistant.undone'))
  const { tx } = decision
  const claimed = await claim(tx, proposal)
  const { applyingBy: _, ...rest } = claimed
  try {
    const applied = await applyChange(decision, claimed)
    return save(decision, claimed, {
      ...{ ...rest, ...applied, status: 'applied' },
      ...{ appliedBy: tx.actor.actorId, appliedAt: tx.now },
    })
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof ApiError)) throw error
    await release(tx, claimed)
    throw toApiError(error)
  }
}

/** Two people cannot both make the change. After a crash, the same one can go on, by the idempotency key. */
async function claim({ actor }: Tx, proposal: StoredProposal): Promise<StoredProposal> {
  if (proposal.status === 'applying') {
    if (proposal.applyingBy !== actor.actorId) throw conflict(message('assistant.beingApplied'))
    return proposal
  }
  const after: NewProposal = { ...proposal, status: 'applying', applyingBy: actor.actorId }
  const tx = begin(actor)
  tx.onConflict((cause) => conflict(message('assistant.beingApplied'), { cause }))
  tx.write(Proposals.replace(proposal, after))
  await tx.commit()
  return { ...after, rev: proposal.rev + 1 }
}

async function release({ actor }: Tx, claimed: StoredProposal): Promise<void> {
  const { applyingBy: _, ...open } = claimed
  const tx = begin(actor)
  tx.write(Proposals.replace(claimed, { ...open, status: 'open' }))
  await tx.commit()
}

async function applyChange(
  decision: Decision,
  proposal: StoredProposal,
): Promise<Pick<Proposal, 'commitId' | 'jobId'>> {
  const change = JSON.parse(proposal.change) as ProposedChange
  if (change.type === 'constraints') {
    await replaceConstraints(decision, proposal, { ...change, from: change.before, to: change.after })
    return {}
  }
  const { api } = decision
  if (
    change.unchangedSince !== undefined &&
    (await readVersion({ api }, { id: proposal.sheetId })) !== change.unchangedSince
  )
    throw conflict(message('records.changedSincePreview'))
  const { data } = await api<{ data: { id?: string; commitId?: string } }>(change.request, proposal.id)
  return { ...(data.commitId ? { commitId: data.commitId } : {}), ...(data.id ? { jobId: data.id } : {}) }
}

async function replaceConstraints(
  { tx, caller }: Decision,
  { sheetId }: StoredProposal,
  { fieldKey, from, to }: { fieldKey: string; from: Constraint[]; to: Constraint[] },
): Promise<void> {
  const sheet = await loadWithPermission('sheet', caller, 'workbooks:write', sheetId)
  const field = sheet.config.fields.find(({ key }) => key === fieldKey)
  if (!field || JSON.stringify(field.constraints ?? []) !== JSON.stringify(from))
    throw conflict(message('assistant.fieldChanged', { field: fieldKey }))
  const after = withConstraints(sheet, fieldKey, to)
  await assertRules([after.config])
  updateSheet(tx, sheet, after)
}

export async function undoProposal(decision: Decision, proposal: StoredProposal): Promise<Proposal> {
  if (proposal.status === 'undone') return Proposal.parse(proposal)
  if (proposal.status !== 'applied') throw conflict(message('assistant.notApplied'))
  const { tx, api } = decision
  const change = JSON.parse(proposal.change) as ProposedChange
  if (change.type === 'constraints')
    await replaceConstraints(decision, proposal, { ...change, from: change.after, to: change.before })
  else
    try {
      await api(await findUndo(api, proposal), `${proposal.id}-undo`)
    } catch (error) {
      throw error instanceof RefusedError ? toApiError(error) : error
    }
  return save(decision, proposal, { ...proposal, status: 'undone', undoneBy: tx.actor.actorId, undoneAt: tx.now })
}

async function findUndo(api: Api, { kind, commitId, jobId }: StoredProposal): Promise<ApiRequest> {
  if (jobId === undefined) return undoCommit(commitId)
  const { data: job } = await api({ method: 'GET', path: `/jobs/${jobId}` })
  if (job.status !== 'completed') throw conflict(message('assistant.stillRunning'))
  return kind === 'import' ? { method: 'DELETE', path: `/jobs/${jobId}/import` } : undoCommit(job.result?.commitId)
}

function undoCommit(commitId: string | undefined): ApiRequest {
  if (commitId === undefined) throw conflict(message('assistant.nothingToUndo'))
  return { method: 'POST', path: `/commits/${commitId}/undo` }
}

function save({ tx, thread }: Decision, before: StoredProposal, after: NewProposal): Proposal {
  tx.write(Proposals.replace(before, after))
  const change = { field: `proposals.${before.id}.status`, previousValue: before.status, newValue: after.status }
  emitThreadUpdated(tx, thread, [change])
  return Proposal.parse(after)
}

function toApiError(error: RefusedError | ApiError): ApiError {
  if (error instanceof ApiError) return error
  const code = findErrorCode(error.status) ?? 'conflict'
  const problems = error.problems.length > 0 ? [...error.problems] : [{ key: code, message: error.message }]
  return new ApiError(code, problems, { cause: error })
}
