/** Uploads of a space: they go on, and are seen, wherever in it one is. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { Upload } from './upload.ts'

export interface UploadState {
  id: number
  name: string
  size: number
  sent: number
  error?: unknown
}

const NONE: readonly UploadState[] = []
const lists = new Map<string, readonly UploadState[]>()
const running = new Map<number, Upload>()
const listeners = new Set<() => void>()
let counter = 0

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function set(spaceId: string, next: (before: readonly UploadState[]) => readonly UploadState[]): void {
  lists.set(spaceId, next(lists.get(spaceId) ?? NONE))
  for (const listener of listeners) listener()
}

const change = (spaceId: string, id: number, next: Partial<UploadState>): void =>
  set(spaceId, (all) => all.map((each) => (each.id === id ? { ...each, ...next } : each)))

function end(spaceId: string, id: number): void {
  running.delete(id)
  set(spaceId, (all) => all.filter((each) => each.id !== id))
}

export function useUploads(spaceId: string) {
  const client = useQueryClient()
  const uploads = useSyncExternalStore(subscribe, () => lists.get(spaceId) ?? NONE)
  const run = useCallback(
    (id: number) => {
      const upload = running.get(id)
      if (!upload) return
      change(spaceId, id, { error: undefined })
      upload
        .run()
        .then(() => end(spaceId, id))
        .catch((error: unknown) => (upload.stopped ? end(spaceId, id) : change(spaceId, id, { error })))
        .finally(() => client.invalidateQueries({ queryKey: ['files', spaceId] }))
    },
    [spaceId, client],
  )
  const add = useCallback(
    (files: Iterable<globalThis.File>) => {
      for (const file of files) {
        const id = ++counter
        running.set(id, new Upload(spaceId, file, (sent) => change(spaceId, id, { sent })))
        set(spaceId, (all) => [...all, { id, name: file.name, size: file.size, sent: 0 }])
        run(id)
      }
    },
    [spaceId, run],
  )
  const cancel = useCallback(
    (id: number) => {
      running.get(id)?.stop()
      end(spaceId, id)
    },
    [spaceId],
  )
  return { uploads, add, again: run, cancel }
}
