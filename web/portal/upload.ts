/** The upload of one file: straight to the bucket at presigned addresses, in parts where it is large, with its progress. */
import { api, ask } from '../shared/api/client.ts'

/** Parts that are on their way together. */
const PARTS_AT_ONCE = 3
const TRIES = 3
const PAUSE_MS = 500

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
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * count))
    }
  }
}

type Target =
  | { type: 'single'; url: string }
  | { type: 'multipart'; partSize: number; parts: { partNumber: number; url: string }[] }

/** One file on its way. What is there stays there: after a failure `run` goes on with what is missing. */
export class Upload {
  readonly #spaceId: string
  readonly #file: globalThis.File
  readonly #onProgress: (bytes: number) => void
  #stop = new AbortController()
  #begun: { fileId: string; target: Target } | undefined
  /** ETags by the numbers of parts. */
  #done = new Map<number, string>()
  #sent = new Map<number, number>()

  /** @param onProgress told how many bytes are there */
  constructor(spaceId: string, file: globalThis.File, onProgress: (bytes: number) => void) {
    this.#spaceId = spaceId
    this.#file = file
    this.#onProgress = onProgress
  }

  get stopped(): boolean {
    return this.#stop.signal.aborted
  }

  /** @throws what the API or the bucket says */
  async run(): Promise<void> {
    this.#begun ??= await this.#begin()
    const { fileId, target } = this.#begun
    if (this.stopped) return this.stop()
    const parts = target.type === 'single' ? await this.#single(target.url) : await this.#multipart(target)
    const path = { fileId }
    await ask(api.POST('/api/v1/files/{fileId}/complete', { params: { path }, body: parts && { parts } }))
  }

  /** Ends it, and takes back what is there. */
  stop(): void {
    this.#stop.abort()
    const fileId = this.#begun?.fileId
    if (fileId) void api.DELETE('/api/v1/files/{fileId}', { params: { path: { fileId } } })
  }

  async #begin(): Promise<{ fileId: string; target: Target }> {
    const { name, size, type } = this.#file
    const body = { spaceId: this.#spaceId, name, size, mimetype: type || undefined, mode: 'import' as const }
    const { data } = await ask(api.POST('/api/v1/files/uploads', { body }))
    return { fileId: data.file.id, target: data.upload }
  }

  async #single(url: string): Promise<undefined> {
    const { signal } = this.#stop
    await tried(() => put(url, this.#file.slice(), this.#onProgress, signal), signal)
  }

  async #multipart({ partSize, parts }: Extract<Target, { type: 'multipart' }>) {
    const { signal } = this.#stop
    const waiting = parts.filter(({ partNumber }) => !this.#done.has(partNumber))
    const worker = async () => {
      for (let part = waiting.shift(); part; part = waiting.shift()) {
        const { partNumber, url } = part
        const bytes = this.#file.slice((partNumber - 1) * partSize, partNumber * partSize)
        const told = (count: number) => this.#tell(partNumber, count)
        this.#done.set(partNumber, await tried(() => put(url, bytes, told, signal), signal))
      }
    }
    // One that fails leaves the others to end: what they sent is not sent again.
    const ends = await Promise.allSettled(Array.from({ length: PARTS_AT_ONCE }, worker))
    for (const { partNumber } of parts) if (!this.#done.has(partNumber)) this.#tell(partNumber, 0)
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return parts.map(({ partNumber }) => ({ partNumber, etag: this.#done.get(partNumber)! }))
  }

  #tell(partNumber: number, bytes: number): void {
    this.#sent.set(partNumber, bytes)
    this.#onProgress([...this.#sent.values()].reduce((sum, each) => sum + each, 0))
  }
}
