/** Uploads one file directly to the bucket, in parts if it is large. */
import { ApiError, api, unwrap } from '../shared/api/client.ts'

const MAX_CONCURRENT_PARTS = 3
const MAX_ATTEMPTS = 3
const RETRY_DELAY_MS = 500

/** Only XMLHttpRequest reports upload progress. Resolves to the ETag. */
function putBytes(url: string, body: Blob, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () =>
      request.status < 300 ? resolve(request.getResponseHeader('etag') ?? '') : reject(new ApiError(request.status, []))
    request.onerror = () => reject(new ApiError(0, []))
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

async function withRetries<T>(upload: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await upload()
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS * attempt))
    }
  }
}

type UploadTarget =
  | { type: 'single'; url: string }
  | { type: 'multipart'; partSize: number; parts: { partNumber: number; url: string }[] }

export class Upload {
  readonly #spaceId: string
  readonly #file: globalThis.File
  readonly #onProgress: (bytes: number) => void
  #stop = new AbortController()
  #started: { fileId: string; target: UploadTarget } | undefined
  #done = new Map<number, string>()
  #sent = new Map<number, number>()

  constructor(spaceId: string, file: globalThis.File, onProgress: (bytes: number) => void) {
    this.#spaceId = spaceId
    this.#file = file
    this.#onProgress = onProgress
  }

  get stopped(): boolean {
    return this.#stop.signal.aborted
  }

  async run(): Promise<void> {
    this.#started ??= await this.#start()
    const { fileId, target } = this.#started
    if (this.stopped) return this.stop()
    const parts = target.type === 'single' ? await this.#single(target.url) : await this.#multipart(target)
    const path = { fileId }
    await unwrap(api.POST('/api/v1/files/{fileId}/complete', { params: { path }, body: parts && { parts } }))
  }

  stop(): void {
    this.#stop.abort()
    const fileId = this.#started?.fileId
    if (fileId) void api.DELETE('/api/v1/files/{fileId}', { params: { path: { fileId } } })
  }

  async #start(): Promise<{ fileId: string; target: UploadTarget }> {
    const { name, size, type } = this.#file
    const body = { spaceId: this.#spaceId, name, size, mimetype: type || undefined, mode: 'import' as const }
    const { data } = await unwrap(api.POST('/api/v1/files/uploads', { body }))
    return { fileId: data.file.id, target: data.upload }
  }

  async #single(url: string): Promise<undefined> {
    const { signal } = this.#stop
    await withRetries(() => putBytes(url, this.#file.slice(), this.#onProgress, signal), signal)
  }

  async #multipart({ partSize, parts }: Extract<UploadTarget, { type: 'multipart' }>) {
    const { signal } = this.#stop
    const pendingParts = parts.filter(({ partNumber }) => !this.#done.has(partNumber))
    const uploadPendingParts = async () => {
      for (let part = pendingParts.shift(); part; part = pendingParts.shift()) {
        const { partNumber, url } = part
        const bytes = this.#file.slice((partNumber - 1) * partSize, partNumber * partSize)
        const onPartProgress = (count: number) => this.#reportProgress(partNumber, count)
        this.#done.set(partNumber, await withRetries(() => putBytes(url, bytes, onPartProgress, signal), signal))
      }
    }
    const results = await Promise.allSettled(Array.from({ length: MAX_CONCURRENT_PARTS }, uploadPendingParts))
    for (const { partNumber } of parts) if (!this.#done.has(partNumber)) this.#reportProgress(partNumber, 0)
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return parts.map(({ partNumber }) => ({ partNumber, etag: this.#done.get(partNumber)! }))
  }

  #reportProgress(partNumber: number, bytes: number): void {
    this.#sent.set(partNumber, bytes)
    this.#onProgress([...this.#sent.values()].reduce((sum, count) => sum + count, 0))
  }
}
