/** What the screens of data clips ask for. */
import { queryOptions } from '@tanstack/react-query'
import { api, ask } from '../../shared/api/client.ts'
import type { Clip } from '../data.ts'

/** The key of all that is known of a clip's differences. */
export const differencesKey = (clipId: string) => ['differences', clipId]

export const summaryQuery = (clipId: string) =>
  queryOptions({
    queryKey: [...differencesKey(clipId), 'summary'],
    async queryFn() {
      const params = {
        path: { dataClipId: clipId },
        query: { includeRecords: false, includeSummary: true },
      } as const
      return (await ask(api.GET('/api/v1/data-clips/{dataClipId}/resolutions', { params }))).summary!
    },
  })

export const differencesQuery = (clipId: string, onlyConflicts: boolean, count: number) =>
  queryOptions({
    queryKey: [...differencesKey(clipId), 'records', onlyConflicts, count],
    queryFn: () => differences(clipId, onlyConflicts, count),
  })

async function differences(clipId: string, onlyConflicts: boolean, count: number) {
  const query = { filterConflicts: onlyConflicts, pageSize: count }
  const params = { path: { dataClipId: clipId }, query }
  return (await ask(api.GET('/api/v1/data-clips/{dataClipId}/resolutions', { params }))).data
}

export type Difference = Awaited<ReturnType<typeof differences>>[number]
export type Resolve = Difference['resolves'][number]
/** Of a cell, or of a record made in the clip; the last two of one that is gone from the source. */
export type Choice = NonNullable<Resolve['resolveTo'] | Resolve['removedFromMainResolution']>

/** A cell has a field; without one it is about the record. */
export const choicesOf = ({ sourceRecordId }: Difference, { field }: Resolve): readonly Choice[] => {
  if (field !== undefined) return ['clip', 'main', 'snapshot']
  return sourceRecordId === undefined ? ['clip', 'main'] : ['restore', 'ignore']
}

export const choiceOf = ({ resolveTo, removedFromMainResolution }: Resolve): Choice | undefined =>
  removedFromMainResolution ?? resolveTo

/** The decision, on the values that were read: on others it is refused. */
const decided = (resolve: Resolve, choice: Choice): Resolve => {
  const { resolveTo: _to, removedFromMainResolution: _removed, ...about } = resolve
  const isOfRemoved = choice === 'ignore' || choice === 'restore'
  return { ...about, type: 'resolve', ...(isOfRemoved ? { removedFromMainResolution: choice } : { resolveTo: choice }) }
}

const send = (clipId: string, resolvedRecords: { recordId: string; resolves: Resolve[] }[]) =>
  ask(
    api.PATCH('/api/v1/data-clips/{dataClipId}/resolutions', {
      params: { path: { dataClipId: clipId } },
      body: { resolvedRecords },
    }),
  )

export const decide = (clipId: string, { id }: Difference, resolve: Resolve, choice: Choice) =>
  send(clipId, [{ recordId: id, resolves: [decided(resolve, choice)] }])

/** Records that are decided on in one call. */
const AT_ONCE = 200

/** What a choice for all means for a record that is gone from the source: there is nothing it could go back to. */
const forRemoved = { clip: 'restore', main: 'ignore', snapshot: 'ignore' } as const

/** Decides all conflicts alike; what was decided stays. */
export async function decideAll(clipId: string, choice: 'clip' | 'main' | 'snapshot'): Promise<void> {
  for (;;) {
    const some = await differences(clipId, true, AT_ONCE)
    if (some.length === 0) return
    const records = some.map(({ id, resolves }) => {
      const open = resolves.filter(({ type }) => type === 'conflict')
      return {
        recordId: id,
        resolves: open.map((one) => decided(one, one.field === undefined ? forRemoved[choice] : choice)),
      }
    })
    await send(clipId, records)
  }
}

/** How many records of the source merging changed. */
export const mergedCountQuery = ({ id, sourceSheetId, mergedCommitId }: Clip) =>
  queryOptions({
    queryKey: ['merged', id, mergedCommitId],
    async queryFn() {
      if (mergedCommitId === undefined) return 0
      const params = { path: { sheetId: sourceSheetId }, query: { commitId: mergedCommitId } }
      return (await ask(api.GET('/api/v1/sheets/{sheetId}/counts', { params }))).data.counts.total
    },
  })

/** Any other word is a client's own, and the clip as open as before. */
export const isMerged = ({ status }: Clip): boolean => status === 'merged'
