/** Live events of a space: invalidates queries and notifies open sheets of commits. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followEvents, type LiveEvent } from '../shared/api/live.ts'
import { getSignedInId } from '../shared/api/session.ts'
import { invalidate } from './invalidate.ts'

const BATCH_MS = 25
const POLL_MS = 3000

type SheetListener = (sheetId: string) => void
const sheetListeners = new Set<SheetListener>()

export function onSheetChange(listener: SheetListener): () => void {
  sheetListeners.add(listener)
  return () => void sheetListeners.delete(listener)
}

const AFFECTED_KEYS: Record<string, (spaceId: string, context: Record<string, unknown>) => unknown[][]> = {
  file: (spaceId) => [
    ['files', spaceId],
    ['activity', spaceId],
  ],
  job: (spaceId, { jobId }) => [
    ['jobs', spaceId],
    ['activity', spaceId],
    ['job', jobId],
  ],
  document: (spaceId) => [['documents', spaceId]],
  action: (spaceId) => [['actions', spaceId]],
  workbook: (spaceId) => [['workbooks', spaceId]],
  sheet: (spaceId, { sheetId }) => [
    ['workbooks', spaceId],
    ['activity', spaceId],
    ['counts', sheetId],
  ],
  space: (spaceId) => [['space', spaceId], ['guests', spaceId], ['spaces']],
  thread: (spaceId, { threadId }) => [
    ['threads', spaceId],
    ['conversation', threadId],
  ],
  snapshot: (_spaceId, { sheetId }) => [['snapshots', sheetId]],
  commit: (_spaceId, { sheetId, actorId }) => [
    ['counts', sheetId],
    ...(actorId === getSignedInId() ? [['changes', sheetId]] : []),
    ['history', sheetId],
    ['snapshots', sheetId],
    ['differences'],
  ],
  'data-clip': (spaceId, { dataClipId }) => [
    ['clips', spaceId],
    ['differences', dataClipId],
  ],
}

export function useSpaceEvents(spaceId: string): boolean {
  const client = useQueryClient()
  const [live, setLive] = useState(false)
  useEffect(() => {
    const batcher = createEventBatcher(client, spaceId)
    const onState = (isLive: boolean) => {
      setLive(isLive)
      // Changes between the first load and the connection sent no event here.
      if (isLive) invalidateAll(client)
    }
    const stop = followEvents({ scope: spaceId, onState, onEvent: batcher.add })
    return () => {
      stop()
      batcher.stop()
    }
  }, [client, spaceId])
  useEffect(() => {
    if (live) return
    const timer = setInterval(() => invalidateAll(client), POLL_MS)
    return () => clearInterval(timer)
  }, [client, live])
  return live
}

function invalidateAll(client: QueryClient): void {
  invalidate(client)
  for (const notify of sheetListeners) notify('')
}

function createEventBatcher(client: QueryClient, spaceId: string) {
  let keys = new Map<string, unknown[]>()
  let sheets = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    for (const queryKey of keys.values()) invalidate(client, queryKey)
    for (const sheetId of sheets) for (const notify of sheetListeners) notify(sheetId)
    keys = new Map()
    sheets = new Set()
  }
  return {
    add({ topic, context }: LiveEvent) {
      const domain = topic.slice(0, topic.indexOf(':'))
      for (const key of AFFECTED_KEYS[domain]?.(spaceId, context) ?? []) keys.set(JSON.stringify(key), key)
      if (domain === 'commit' || domain === 'records') sheets.add(String(context.sheetId))
      timer ??= setTimeout(flush, BATCH_MS)
    },
    stop: () => clearTimeout(timer),
  }
}
