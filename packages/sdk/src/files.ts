import { Files as FileOperations } from './operations.generated.ts'
import { putBytes } from './put-bytes.ts'
import { canRetry, getDelayMs, sleep } from './retries.ts'
import type { Body, File, Schemas } from './types.ts'
import { type RangeReader, toReader, type UploadInput } from './upload-source.ts'

const MAX_CONCURRENT_PARTS = 3
const MAX_ATTEMPTS = 4

export interface UploadProgress {
  sentBytes: number
  totalBytes: number
}

export type UploadOptions = Omit<Body<'files.createUpload'>, 'name' | 'size'> & {
  /** Has the extension that tells how the file is read. Only optional if the input has a name. */
  name?: string | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
  signal?: AbortSignal | undefined
}

interface Part {
  partNumber: number
  url: string
  start: number
  end: number
}

export class Files extends FileOperations {
  /** Uploads a file of up to 1 GB directly to the bucket. An upload that fails or is aborted is deleted. */
  async upload(input: UploadInput, { name, onProgress, signal, ...fields }: UploadOptions): Promise<File> {
    const reader = toReader(input)
    const fileName = name ?? reader.name
    if (!fileName) throw new TypeError('An upload without a file name needs the option `name`.')
    const body = { ...fields, name: fileName, size: reader.size }
    const { file, upload } = await this.createUpload(body, { signal })
    try {
      const parts = await this.#putParts(reader, listParts(upload, reader.size), { onProgress, signal })
      return await this.completeUpload(file.id, upload.type === 'multipart' ? { parts } : undefined, { signal })
    } catch (error) {
      await this.remove(file.id).catch(() => {})
      throw error
    }
  }

  async #putParts(
    reader: RangeReader,
    parts: readonly Part[],
    { onProgress, signal }: Pick<UploadOptions, 'onProgress' | 'signal'>,
  ): Promise<{ partNumber: number; etag: string }[]> {
    const stop = new AbortController()
    const anySignal = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
    const sent = new Map<number, number>()
    const etags = new Map<number, string>()
    const pending = [...parts]
    const report = (partNumber: number, bytes: number) => {
      sent.set(partNumber, bytes)
      onProgress?.({ sentBytes: [...sent.values()].reduce((sum, count) => sum + count, 0), totalBytes: reader.size })
    }
    const putPending = async () => {
      for (let part = pending.shift(); part; part = pending.shift()) {
        const { partNumber, url, start, end } = part
        const bytes = await reader.read(start, end)
        etags.set(partNumber, await this.#putPart(url, bytes, (count) => report(partNumber, count), anySignal))
        report(partNumber, bytes.size)
      }
    }
    try {
      await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_PARTS, parts.length) }, putPending))
    } finally {
      stop.abort()
    }
    return parts.map(({ partNumber }) => ({ partNumber, etag: etags.get(partNumber)! }))
  }

  async #putPart(url: string, bytes: Blob, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await putBytes(url, bytes, { fetch: this.client.fetch, onProgress, signal })
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !canRetry(error, true)) throw error
        await sleep(getDelayMs(attempt, error), signal)
      }
    }
  }
}

function listParts(upload: Schemas['Upload'], size: number): Part[] {
  if (upload.type === 'single') return [{ partNumber: 1, url: upload.url, start: 0, end: size }]
  const { partSize, parts } = upload
  return parts.map(({ partNumber, url }) => ({
    ...{ partNumber, url },
    start: (partNumber - 1) * partSize,
    end: Math.min(size, partNumber * partSize),
  }))
}
