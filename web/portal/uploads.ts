/** Uploads: straight to the bucket at presigned addresses, in parts where a file is large, with their progress. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { api, ask } from '../shared/api/client.ts'

export interface UploadState {
  id: number
  name: string
  size: number
  sent: number
  error?: unknown
}

/** Parts that are on their way together. */
const PARTS_AT_ONCE = 3
const TRIES = 3

/** Sends bytes; @returns the part's ETag. Only XMLHttpRequest tells of its progress. */
function put(url: string, body: Blob, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () =>
      request.status < 300
        ? resolve(request.getResponseHeader('etag') ?? '')
        : reject(new Error(`The bucket answered ${request.status}.`))
    request.onerror = () => reject(new Error('The connection broke while the file was sent.'))
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

async function tried<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await work()
    } catch (error) {
      if (count >= TRIES || signal.aborted) throw error
    }
  }
}

/** @param onProgress told how many bytes are there. @throws what the API or the bucket says; the file is then taken back */
async function upload(
  spaceId: string,
  file: globalThis.File,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
) {
  const body = { spaceId, name: file.name, size: file.size, mimetype: file.type || undefined, mode: 'import' as const }
  const { data } = await ask(api.POST('/api/v1/files/uploads', { body }))
  const path = { fileId: data.file.id }
  try {
    const parts = await send(data.upload, file, onProgress, signal)
    await ask(api.POST('/api/v1/files/{fileId}/complete', { params: { path }, body: parts && { parts } }))
  } catch (error) {
    await api.DELETE('/api/v1/files/{fileId}', { params: { path } })
    throw error
  }
}

type Target =
  | { type: 'single'; url: string }
  | { type: 'multipart'; partSize: number; parts: { partNumber: number; url: string }[] }

async function send(target: Target, file: Blob, onProgress: (bytes: number) => void, signal: AbortSignal) {
  if (target.type === 'single') {
    await tried(() => put(target.url, file.slice(), onProgress, signal), signal)
    return undefined
  }
  const sent = new Map<number, number>()
  const waiting = [...target.parts]
  const done: { partNumber: number; etag: string }[] = []
  const worker = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const { partNumber, url } = part
      const bytes = file.slice((partNumber - 1) * target.partSize, partNumber * target.partSize)
      const told = (count: number) => {
        sent.set(partNumber, count)
        onProgress([...sent.values()].reduce((sum, each) => sum + each, 0))
      }
      done.push({ partNumber, etag: await tried(() => put(url, bytes, told, signal), signal) })
    }
  }
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, worker))
  return done.sort((a, b) => a.partNumber - b.partNumber)
}

export function useUploads(spaceId: string) {
  const client = useQueryClient()
  const [uploads, setUploads] = useState<UploadState[]>([])
  const stops = useRef(new Map<number, AbortController>())
  const counter = useRef(0)
  const change = useCallback((id: number, next: Partial<UploadState> | undefined) => {
    setUploads((all) =>
      next ? all.map((each) => (each.id === id ? { ...each, ...next } : each)) : all.filter((each) => each.id !== id),
    )
  }, [])

  const add = useCallback(
    (files: Iterable<globalThis.File>) => {
      for (const file of files) {
        const id = ++counter.current
        const stop = new AbortController()
        stops.current.set(id, stop)
        setUploads((all) => [...all, { id, name: file.name, size: file.size, sent: 0 }])
        upload(spaceId, file, (sent) => change(id, { sent }), stop.signal)
          .then(() => change(id, undefined))
          .catch((error: unknown) => change(id, stop.signal.aborted ? undefined : { error }))
          .finally(() => client.invalidateQueries({ queryKey: ['files', spaceId] }))
      }
    },
    [spaceId, change, client],
  )
  const cancel = useCallback(
    (id: number) => {
      stops.current.get(id)?.abort()
      change(id, undefined)
    },
    [change],
  )
  return { uploads, add, cancel }
}
