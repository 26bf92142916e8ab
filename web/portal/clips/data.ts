import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../shared/api/client.ts'
import type { Clip } from '../queries.ts'

export const buildDifferencesKey = (clipId: string) => ['differences', clipId]

export const summaryQuery = (clipId: string) =>
  queryOptions({
    queryKey: [...buildDifferencesKey(clipId), 'summary'],
    async queryFn() {
      const params = {
        path: { dataClipId: clipId },
        query: { includeRecords: false, includeSummary: true },
      } as const
      return (await unwrap(api.GET('/api/v1/data-clips/{dataClipId}/resolutions', { params }))).summary!
    },
  })

export const differencesQuery = (clipId: string, onlyConflicts: boolean, count: number) =>
  queryOptions({
    queryKey: [...buildDifferencesKey(clipId), 'records', onlyConflicts, count],
    queryFn: () => fetchDifferences(clipId, onlyConflicts, count),
  })

async function fetchDifferences(clipId: string, onlyConflicts: boolean, count: number) {
  const query = { filterConflicts: onlyConflicts, pageSize: count }
  const params = { path: { dataClipId: clipId }, query }
  return (await unwrap(api.GET('/api/v1/data-clips/{dataClipId}/resolutions', { params }))).data
}

export type Difference = Awaited<ReturnType<typeof fetchDifferences>>[number]
export type Resolve = Difference['resolves'][number]
export type Choice = NonNullable<Resolve['resolveTo'] | Resolve['removedFromMainResolution']>

export const getChoices = ({ sourceRecordId }: Difference, { field }: Resolve): readonly Choice[] => {
  if (field !== undefined) return ['clip', 'main', 'snapshot']
  return sourceRecordId === undefined ? ['clip', 'main'] : ['restore', 'ignore']
}

export const getChoice = ({ resolveTo, removedFromMainResolution }: Resolve): Choice | undefined =>
  removedFromMainResolution ?? resolveTo

/** The server rejects decisions on outdated values. */
const applyChoice = (resolve: Resolve, choice: Choice): Resolve => {
  const { resolveTo: _to, removedFromMainResolution: _removed, ...cell } = resolve
  const isForRemovedRecord = choice === 'ignore' || choice === 'restore'
  return {
    ...cell,
    type: 'resolve',
    ...(isForRemovedRecord ? { removedFromMainResolution: choice } : { resolveTo: choice }),
  }
}

const sendDecisions = (clipId: string, resolvedRecords: { recordId: string; resolves: Resolve[] }[]) =>
  unwrap(
    api.PATCH('/api/v1/data-clips/{dataClipId}/resolutions', {
      params: { path: { dataClipId: clipId } },
      body: { resolvedRecords },
    }),
  )

export const decide = (clipId: string, { id }: Difference, resolve: Resolve, choice: Choice) =>
  sendDecisions(clipId, [{ recordId: id, resolves: [applyChoice(resolve, choice)] }])

const MAX_RECORDS_PER_DECISION = 200

const REMOVED_RECORD_CHOICES = { clip: 'restore', main: 'ignore', snapshot: 'ignore' } as const

export async function decideAll(clipId: string, choice: 'clip' | 'main' | 'snapshot'): Promise<void> {
  for (;;) {
    const batch = await fetchDifferences(clipId, true, MAX_RECORDS_PER_DECISION)
    if (batch.length === 0) return
    const records = batch.map(({ id, resolves }) => {
      const conflicts = resolves.filter(({ type }) => type === 'conflict')
      return {
        recordId: id,
        resolves: conflicts.map((conflict) =>
          applyChoice(conflict, conflict.field === undefined ? REMOVED_RECORD_CHOICES[choice] : choice),
        ),
      }
    })
    await sendDecisions(clipId, records)
  }
}

export const mergedCountQuery = ({ id, sourceSheetId, mergedCommitId }: Clip) =>
  queryOptions({
    queryKey: ['merged', id, mergedCommitId],
    async queryFn() {
      if (mergedCommitId === undefined) return 0
      const params = { path: { sheetId: sourceSheetId }, query: { commitId: mergedCommitId } }
      return (await unwrap(api.GET('/api/v1/sheets/{sheetId}/counts', { params }))).data.counts.total
    },
  })

export const isMerged = ({ status }: Clip): boolean => status === 'merged'
