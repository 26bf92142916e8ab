/** Uploads of a space, which continue across page changes. */
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

const NO_UPLOADS: readonly UploadState[] = []
const uploadsBySpace = new Map<string, readonly UploadState[]>()
const activeUploads = new Map<number, Upload>()
const listeners = new Set<() => void>()
let counter = 0

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function updateList(spaceId: string, next: (before: readonly UploadState[]) => readonly UploadState[]): void {
  uploadsBySpace.set(spaceId, next(uploadsBySpace.get(spaceId) ?? NO_UPLOADS))
  for (const listener of listeners) listener()
}

const updateUpload = (spaceId: string, id: number, next: Partial<UploadState>): void =>
  updateList(spaceId, (all) => all.map((upload) => (upload.id === id ? { ...upload, ...next } : upload)))

function removeUpload(spaceId: string, id: number): void {
  activeUploads.delete(id)
  updateList(spaceId, (all) => all.filter((upload) => upload.id !== id))
}

export function useUploads(spaceId: string) {
  const client = useQueryClient()
  const uploads = useSyncExternalStore(subscribe, () => uploadsBySpace.get(spaceId) ?? NO_UPLOADS)
  const run = useCallback(
    (id: number) => {
      const upload = activeUploads.get(id)
      if (!upload) return
      updateUpload(spaceId, id, { error: undefined })
      upload
        .run()
        .then(() => removeUpload(spaceId, id))
        .catch((error: unknown) => (upload.stopped ? removeUpload(spaceId, id) : updateUpload(spaceId, id, { error })))
        .finally(() => client.invalidateQueries({ queryKey: ['files', spaceId] }))
    },
    [spaceId, client],
  )
  const add = useCallback(
    (files: Iterable<globalThis.File>) => {
      for (const file of files) {
        const id = ++counter
        activeUploads.set(id, new Upload(spaceId, file, (sent) => updateUpload(spaceId, id, { sent })))
        updateList(spaceId, (all) => [...all, { id, name: file.name, size: file.size, sent: 0 }])
        run(id)
      }
    },
    [spaceId, run],
  )
  const cancel = useCallback(
    (id: number) => {
      activeUploads.get(id)?.stop()
      removeUpload(spaceId, id)
    },
    [spaceId],
  )
  return { uploads, add, retry: run, cancel }
}
