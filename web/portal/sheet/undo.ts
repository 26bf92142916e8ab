/** Undo of the user's own edits in this visit. Skips cells that were changed since. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { toast } from '../../shared/ui/toast.tsx'
import type { SheetRecord } from './pages.ts'

export interface Step {
  commit: Promise<string | undefined>
  cells: readonly { recordId: string; fieldKey: string }[]
}

export interface Undo {
  steps: number
  busy: boolean
  run(): void
}

const MAX_UNDO_STEPS = 100
const MAX_IDS_PER_CALL = 100
const MAX_COMMITS = 1000

async function findPreviousCommit(sheetId: string, commitId: string): Promise<string | undefined> {
  const params = { path: { sheetId }, query: { pageSize: MAX_COMMITS } }
  const { data } = await unwrap(api.GET('/api/v1/sheets/{sheetId}/commits', { params }))
  const offset = data.findIndex(({ id }) => id === commitId)
  return offset < 0 ? undefined : data[offset + 1]?.id
}

async function fetchRecords(sheetId: string, ids: string[], asOfCommitId?: string): Promise<Map<string, SheetRecord>> {
  const query = { ids, asOfCommitId, includeMessages: false } as const
  const { data } = await unwrap(api.GET('/api/v1/sheets/{sheetId}/records', { params: { path: { sheetId }, query } }))
  return new Map(data.records.map((record) => [record.id, record]))
}

export async function undoStep(sheetId: string, { commit, cells }: Step): Promise<number> {
  const commitId = await commit
  const previousCommitId = commitId && (await findPreviousCommit(sheetId, commitId))
  if (!previousCommitId) return 0
  const byRecord = Map.groupBy(cells, ({ recordId }) => recordId)
  const ids = [...byRecord.keys()]
  const body: { id: string; values: Record<string, { value: unknown }> }[] = []
  for (let offset = 0; offset < ids.length; offset += MAX_IDS_PER_CALL) {
    const batch = ids.slice(offset, offset + MAX_IDS_PER_CALL)
    const [original, edited, current] = await Promise.all([
      fetchRecords(sheetId, batch, previousCommitId),
      fetchRecords(sheetId, batch, commitId),
      fetchRecords(sheetId, batch),
    ])
    for (const id of batch) {
      const getValue = (version: Map<string, SheetRecord>, key: string) => version.get(id)?.values[key]?.value ?? null
      const isUnchanged = (key: string) =>
        JSON.stringify(getValue(current, key)) === JSON.stringify(getValue(edited, key))
      const keys = (byRecord.get(id) ?? []).map(({ fieldKey }) => fieldKey).filter(isUnchanged)
      if (current.has(id) && keys.length > 0)
        body.push({ id, values: Object.fromEntries(keys.map((key) => [key, { value: getValue(original, key) }])) })
    }
  }
  if (body.length === 0) return 0
  const params = { path: { sheetId }, query: { interpret: false } }
  await unwrap(api.PUT('/api/v1/sheets/{sheetId}/records', { params, body: body as never }))
  return body.reduce((total, { values }) => total + Object.keys(values).length, 0)
}

export function useUndo(sheetId: string, onDone: () => void): Undo & { remember(step: Step): void } {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const undoStack = useRef<Step[]>([])
  const [steps, setSteps] = useState(0)
  const [busy, setBusy] = useState(false)
  const remember = useCallback((step: Step) => {
    undoStack.current = [...undoStack.current, step].slice(-MAX_UNDO_STEPS)
    setSteps(undoStack.current.length)
  }, [])
  const run = useCallback(() => {
    const step = undoStack.current.pop()
    if (!step) return
    setSteps(undoStack.current.length)
    setBusy(true)
    undoStep(sheetId, step)
      .then((count) => {
        toast(count > 0 ? t('undone', { count }) : t('undoNothing'))
        onDone()
      })
      .catch(showError)
      .finally(() => setBusy(false))
  }, [sheetId, t, onDone, showError])
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || event.shiftKey || !(event.ctrlKey || event.metaKey)) return
      if (event.target instanceof Element && event.target.closest('input, textarea, select')) return
      event.preventDefault()
      if (!busy) run()
    }
    addEventListener('keydown', handleKeyDown)
    return () => removeEventListener('keydown', handleKeyDown)
  }, [run, busy])
  return { steps, busy, run, remember }
}
