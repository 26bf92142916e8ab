/**
 * Takes back one's own edits of this visit, the newest first: what stood in the cells in the version before is written once
 * more, as an edit like any other. What somebody changed since stays.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { SheetRecord } from './pages.ts'

export interface Step {
  /** The id of the edit's commit, as soon as the server has it; none where it was refused. */
  commit: Promise<string | undefined>
  cells: readonly { recordId: string; fieldKey: string }[]
}

export interface Undo {
  /** Edits that can be taken back. */
  steps: number
  busy: boolean
  run(): void
}

const STEPS_KEPT = 100
/** Ids one call takes. */
const IDS_PER_CALL = 100
/** Commits that are looked through for the one before an edit. */
const COMMITS = 1000

async function versionBefore(sheetId: string, commitId: string): Promise<string | undefined> {
  const params = { path: { sheetId }, query: { pageSize: COMMITS } }
  const { data } = await ask(api.GET('/api/v1/sheets/{sheetId}/commits', { params }))
  const at = data.findIndex(({ id }) => id === commitId)
  return at < 0 ? undefined : data[at + 1]?.id
}

async function recordsAt(sheetId: string, ids: string[], asOfCommitId?: string): Promise<Map<string, SheetRecord>> {
  const query = { ids, asOfCommitId, includeMessages: false } as const
  const { data } = await ask(api.GET('/api/v1/sheets/{sheetId}/records', { params: { path: { sheetId }, query } }))
  return new Map(data.records.map((record) => [record.id, record]))
}

/** @returns how many cells are as they were */
export async function takeBack(sheetId: string, { commit, cells }: Step): Promise<number> {
  const commitId = await commit
  const before = commitId && (await versionBefore(sheetId, commitId))
  if (!before) return 0
  const byRecord = Map.groupBy(cells, ({ recordId }) => recordId)
  const ids = [...byRecord.keys()]
  const body: { id: string; values: Record<string, { value: unknown }> }[] = []
  for (let at = 0; at < ids.length; at += IDS_PER_CALL) {
    const some = ids.slice(at, at + IDS_PER_CALL)
    const [old, edited, now] = await Promise.all([
      recordsAt(sheetId, some, before),
      recordsAt(sheetId, some, commitId),
      recordsAt(sheetId, some),
    ])
    for (const id of some) {
      const valueIn = (version: Map<string, SheetRecord>, key: string) => version.get(id)?.values[key]?.value ?? null
      const same = (key: string) => JSON.stringify(valueIn(now, key)) === JSON.stringify(valueIn(edited, key))
      const keys = (byRecord.get(id) ?? []).map(({ fieldKey }) => fieldKey).filter(same)
      if (now.has(id) && keys.length > 0)
        body.push({ id, values: Object.fromEntries(keys.map((key) => [key, { value: valueIn(old, key) }])) })
    }
  }
  if (body.length === 0) return 0
  await ask(api.PUT('/api/v1/sheets/{sheetId}/records', { params: { path: { sheetId } }, body: body as never }))
  return body.reduce((sum, { values }) => sum + Object.keys(values).length, 0)
}

/** @param onDone called when cells are as they were */
export function useUndo(sheetId: string, onDone: () => void): Undo & { remember(step: Step): void } {
  const { t, number } = useTexts()
  const kept = useRef<Step[]>([])
  const [steps, setSteps] = useState(0)
  const [busy, setBusy] = useState(false)
  const remember = useCallback((step: Step) => {
    kept.current = [...kept.current, step].slice(-STEPS_KEPT)
    setSteps(kept.current.length)
  }, [])
  const run = useCallback(() => {
    const step = kept.current.pop()
    if (!step) return
    setSteps(kept.current.length)
    setBusy(true)
    takeBack(sheetId, step)
      .then((count) => {
        toast(count > 0 ? t('undone', { count: number(count) }) : t('undoNothing'))
        onDone()
      })
      .catch((error: Error) => toast(error.message, 'error'))
      .finally(() => setBusy(false))
  }, [sheetId, t, number, onDone])
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || event.shiftKey || !(event.ctrlKey || event.metaKey)) return
      // What is typed has an undo of its own.
      if (event.target instanceof Element && event.target.closest('input, textarea, select')) return
      event.preventDefault()
      if (!busy) run()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [run, busy])
  return { steps, busy, run, remember }
}
