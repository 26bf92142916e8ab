/** Live events of a space: what they touch is asked for anew, and sheets are told of their commits. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { follow, type LiveEvent } from '../shared/api/live.ts'
import { renew } from './renew.ts'

/** Events of one moment are answered together. */
const GATHER_MS = 25
/** Without live events what is shown is asked for this often. */
const POLL_MS = 3000

type Told = (sheetId: string) => void
const sheetListeners = new Set<Told>()

/** Is told of sheets whose records changed. */
export function onSheetChange(listener: Told): () => void {
  sheetListeners.add(listener)
  return () => void sheetListeners.delete(listener)
}

const TOUCHED: Record<string, (spaceId: string, context: Record<string, unknown>) => unknown[][]> = {
  file: (spaceId) => [['files', spaceId]],
  job: (spaceId, { jobId }) => [
    ['jobs', spaceId],
    ['job', jobId],
  ],
  document: (spaceId) => [['documents', spaceId]],
  action: (spaceId) => [['actions', spaceId]],
  workbook: (spaceId) => [['workbooks', spaceId]],
  sheet: (spaceId, { sheetId }) => [
    ['workbooks', spaceId],
    ['counts', sheetId],
  ],
  space: (spaceId) => [['space', spaceId], ['guests', spaceId], ['spaces']],
  snapshot: (_spaceId, { sheetId }) => [['snapshots', sheetId]],
  commit: (_spaceId, { sheetId }) => [
    ['counts', sheetId],
    ['history', sheetId],
    ['snapshots', sheetId],
    ['differences'],
  ],
  'data-clip': (spaceId, { dataClipId }) => [
    ['clips', spaceId],
    ['differences', dataClipId],
  ],
}

/** @returns whether events come live */
export function useSpaceEvents(spaceId: string): boolean {
  const client = useQueryClient()
  const [live, setLive] = useState(false)
  useEffect(() => {
    const gathered = gather(client, spaceId)
    const onState = (now: boolean) => {
      setLive(now)
      // What happened between the first answers and this moment was told to nobody here.
      if (now) renewAll(client)
    }
    const stop = follow({ scope: spaceId, onState, onEvent: gathered.add })
    return () => {
      stop()
      gathered.stop()
    }
  }, [client, spaceId])
  useEffect(() => {
    if (live) return
    const timer = setInterval(() => renewAll(client), POLL_MS)
    return () => clearInterval(timer)
  }, [client, live])
  return live
}

function renewAll(client: QueryClient): void {
  renew(client)
  for (const tell of sheetListeners) tell('')
}

function gather(client: QueryClient, spaceId: string) {
  let keys = new Map<string, unknown[]>()
  let sheets = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    for (const queryKey of keys.values()) renew(client, queryKey)
    for (const sheetId of sheets) for (const tell of sheetListeners) tell(sheetId)
    keys = new Map()
    sheets = new Set()
  }
  return {
    add({ topic, context }: LiveEvent) {
      const domain = topic.slice(0, topic.indexOf(':'))
      for (const key of TOUCHED[domain]?.(spaceId, context) ?? []) keys.set(JSON.stringify(key), key)
      if (domain === 'commit' || domain === 'records') sheets.add(String(context.sheetId))
      timer ??= setTimeout(flush, GATHER_MS)
    },
    stop: () => clearTimeout(timer),
  }
}
