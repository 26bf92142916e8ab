/** Commits as the API shows them: with names, what they undid and how many records they changed. */
import type { Commit } from '../../schemas/commits/shape.ts'
import { readActorNames } from '../auth/actor-names.ts'
import { parseKind } from '../core/ids.ts'
import * as engine from '../records/index.ts'
import { toSheetRef } from './sheet-ref.ts'
import { parseUndoOperation } from './undo-operation.ts'

const MAX_COUNTED_COMMITS = 100

export async function describeCommits(
  sheet: Parameters<typeof toSheetRef>[0] & { accountId: string },
  commits: readonly engine.Commit[],
  { includeCounts = false }: { includeCounts?: boolean | undefined } = {},
): Promise<Commit[]> {
  const counted = commits.filter(({ op }) => parseUndoOperation(op) === undefined).map(({ id }) => id)
  const [names, counts] = await Promise.all([
    readActorNames(
      sheet.accountId,
      commits.map(({ createdBy }) => createdBy),
    ),
    includeCounts ? engine.countCommitRecords(toSheetRef(sheet), counted.slice(0, MAX_COUNTED_COMMITS)) : undefined,
  ])
  return commits.map(({ op, ...commit }) => {
    const createdByName = names.get(commit.createdBy)
    const undoes = parseUndoOperation(op)
    const jobId = parseJobOperation(op)
    const found = counts?.get(commit.id)
    return {
      ...commit,
      ...(createdByName === undefined ? {} : { createdByName }),
      ...(undoes === undefined ? {} : { undoes }),
      ...(jobId === undefined ? {} : { jobId }),
      ...(found ? { counts: found } : {}),
    }
  })
}

function parseJobOperation(op: string): string | undefined {
  const [id = ''] = op.split('#')
  return parseKind(id) === 'job' ? id : undefined
}
