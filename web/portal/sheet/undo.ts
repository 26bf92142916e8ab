/** Undo and redo of the user's own changes in a sheet, from its list of commits, so that they survive a reload. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError, api, unwrap } from '../../shared/api/client.ts'
import { type I18n, useTranslation } from '../../shared/texts/texts.tsx'
import { describeError } from '../../shared/ui/errors.ts'
import { toast } from '../../shared/ui/toast.tsx'

interface Commit {
  id: string
  undoes?: string
  jobId?: string
  counts?: { created: number; updated: number; deleted: number }
}

/** `commitId` is undone to undo or redo the change that `origin` made. */
export interface Step {
  commitId: string
  origin: Commit
}

const MAX_COMMITS = 40

export const changesQuery = (sheetId: string) => ({
  queryKey: ['changes', sheetId],
  queryFn: async () => {
    const query = { mine: true, includeCounts: true, pageSize: MAX_COMMITS } as const
    const params = { path: { sheetId }, query }
    return (await unwrap(api.GET('/api/v1/sheets/{sheetId}/commits', { params }))).data
  },
})

/** @param commits newest first */
export function buildSteps(commits: readonly Commit[]): { undo: Step[]; redo: Step[] } {
  let undo: Step[] = []
  let redo: Step[] = []
  for (const commit of commits.toReversed()) {
    const undone = undo.find(({ commitId }) => commitId === commit.undoes)
    const redone = redo.find(({ commitId }) => commitId === commit.undoes)
    if (undone) {
      undo = undo.filter((step) => step !== undone)
      redo = [...redo, { commitId: commit.id, origin: undone.origin }]
    } else if (redone) {
      redo = redo.filter((step) => step !== redone)
      undo = [...undo, { commitId: commit.id, origin: redone.origin }]
    } else if (commit.undoes === undefined) {
      undo = [...undo, { commitId: commit.id, origin: commit }]
      redo = []
    }
  }
  return { undo, redo }
}

function describeStep(steps: readonly Step[], { t }: Pick<I18n, 't'>): string {
  const counts = { created: 0, updated: 0, deleted: 0 }
  for (const { origin } of steps)
    for (const kind of ['created', 'updated', 'deleted'] as const) counts[kind] += origin.counts?.[kind] ?? 0
  const { created, updated, deleted } = counts
  if (created > 0 && steps.some(({ origin }) => origin.jobId)) return t('changeImport', { count: created })
  if (deleted === 0 && updated === 0) return t('changeAdd', { count: created })
  if (created === 0 && updated === 0) return t('changeDelete', { count: deleted })
  if (created === 0 && deleted === 0) return t('changeEdit', { count: updated })
  return t('changeMixed', { count: created + updated + deleted })
}

export interface Undo {
  undoText: string | undefined
  redoText: string | undefined
  undo(): void
  redo(): void
}

interface UndoState extends Undo {
  /** Undo waits for these writes, and takes back all commits of one call together. */
  track(writes: readonly Promise<string | undefined>[]): Promise<void>
}

export function useUndo(sheetId: string, onDone: () => void): UndoState {
  const i18n = useTranslation()
  const client = useQueryClient()
  const pendingWrites = useRef(new Set<Promise<unknown>>())
  const groups = useRef(new Map<string, string>())
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set())
  const latestRefused = useRef(refused)
  latestRefused.current = refused
  const queue = useRef(Promise.resolve())
  const commits = useQuery(changesQuery(sheetId))
  const takeLast = useCallback((steps: readonly Step[], skipped: ReadonlySet<string>): Step[] => {
    const open = steps.filter(({ commitId }) => !skipped.has(commitId))
    const last = open.at(-1)
    const group = last && groups.current.get(last.origin.id)
    return open.filter((step) => step === last || (group && groups.current.get(step.origin.id) === group))
  }, [])
  const steps = useMemo(() => {
    const { undo, redo } = buildSteps(commits.data ?? [])
    return { undo: takeLast(undo, refused), redo: takeLast(redo, refused) }
  }, [commits.data, takeLast, refused])
  const track = useCallback(
    async (writes: readonly Promise<string | undefined>[]) => {
      const written = Promise.all(writes)
      pendingWrites.current.add(written)
      try {
        const commitIds = (await written).filter((id) => id !== undefined)
        for (const id of commitIds.length > 1 ? commitIds : []) groups.current.set(id, commitIds[0]!)
      } finally {
        pendingWrites.current.delete(written)
      }
      await client.invalidateQueries({ queryKey: ['changes', sheetId] })
    },
    [client, sheetId],
  )
  const run = useCallback(
    async (kind: 'undo' | 'redo') => {
      try {
        await Promise.allSettled(pendingWrites.current)
        // A request in flight may predate the last change.
        await client.cancelQueries({ queryKey: ['changes', sheetId] })
        const newest = await changesQuery(sheetId).queryFn()
        const taken = takeLast(buildSteps(newest)[kind], latestRefused.current)
        if (taken.length === 0) return
        for (const { commitId } of taken.toReversed())
          await unwrap(api.POST('/api/v1/commits/{commitId}/undo', { params: { path: { commitId } } })).catch(
            (error: unknown) => {
              latestRefused.current = new Set([...latestRefused.current, commitId])
              setRefused(latestRefused.current)
              throw error
            },
          )
        const what = describeStep(taken, i18n)
        toast(i18n.t(kind === 'undo' ? 'undid' : 'redid', { what }))
      } catch (error) {
        toast(describeRefusal(error, i18n), 'error')
      } finally {
        await client.invalidateQueries({ queryKey: ['changes', sheetId] })
        onDone()
      }
    },
    [client, sheetId, takeLast, i18n, onDone],
  )
  const enqueue = useCallback(
    (kind: 'undo' | 'redo') => {
      queue.current = queue.current.then(() => run(kind))
    },
    [run],
  )
  const undo = useCallback(() => enqueue('undo'), [enqueue])
  const redo = useCallback(() => enqueue('redo'), [enqueue])
  useUndoKeys(undo, redo)
  return {
    undoText: steps.undo.length > 0 ? describeStep(steps.undo, i18n) : undefined,
    redoText: steps.redo.length > 0 ? describeStep(steps.redo, i18n) : undefined,
    undo,
    redo,
    track,
  }
}

function describeRefusal(error: unknown, i18n: I18n): string {
  if (!(error instanceof ApiError) || error.status !== 409) return describeError(error, i18n).join(' ')
  const conflicts = error.problems.filter(({ key }) => key === 'conflict')
  return [i18n.t('notUndone'), ...conflicts.map(({ message }) => i18n.translate(message))].join(' ')
}

function useUndoKeys(undo: () => void, redo: () => void): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      const isUndo = key === 'z' && !event.shiftKey
      if (!(event.ctrlKey || event.metaKey) || !(isUndo || key === 'z' || key === 'y')) return
      if (event.target instanceof Element && event.target.closest('input, textarea, select, [role=dialog]')) return
      event.preventDefault()
      if (isUndo) undo()
      else redo()
    }
    addEventListener('keydown', handleKeyDown)
    return () => removeEventListener('keydown', handleKeyDown)
  }, [undo, redo])
}
