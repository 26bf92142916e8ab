import { ConnectionError, readError } from './errors.ts'

export interface PutOptions {
  fetch: typeof globalThis.fetch
  signal?: AbortSignal | undefined
  onProgress(bytes: number): void
}

/** The members of `XMLHttpRequest` that are used, because not every environment has it. */
interface UploadRequest {
  upload: { onprogress: ((event: { loaded: number }) => void) | null }
  status: number
  responseText: string
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  send(body: Blob): void
  abort(): void
  getResponseHeader(name: string): string | null
}

export function putBytes(url: string, body: Blob, options: PutOptions): Promise<string> {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => UploadRequest }
  return XMLHttpRequest ? putByRequest(new XMLHttpRequest(), url, body, options) : putByFetch(url, body, options)
}

async function putByFetch(url: string, blob: Blob, { fetch, signal, onProgress }: PutOptions): Promise<string> {
  let sent = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.length
      onProgress(sent)
      controller.enqueue(chunk)
    },
  })
  const response = await fetch(url, {
    method: 'PUT',
    body: blob.stream().pipeThrough(counter),
    // Without a length, S3 refuses the chunks of a stream.
    headers: { 'content-length': String(blob.size) },
    duplex: 'half',
    ...(signal ? { signal } : {}),
  } as RequestInit).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new ConnectionError('The upload was interrupted', { code: 'no-response', cause })
  })
  if (!response.ok) throw await readError('PUT of the uploaded bytes', response)
  return response.headers.get('etag') ?? ''
}

/** Only XMLHttpRequest reports the progress of an upload in browsers. */
function putByRequest(
  request: UploadRequest,
  url: string,
  body: Blob,
  { signal, onProgress }: PutOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const abort = () => request.abort()
    request.open('PUT', url)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () => {
      signal?.removeEventListener('abort', abort)
      const { status, responseText } = request
      if (status < 300) return resolve(request.getResponseHeader('etag') ?? '')
      readError('PUT of the uploaded bytes', new Response(responseText, { status })).then(reject)
    }
    request.onerror = () => reject(new ConnectionError('The upload was interrupted', { code: 'no-response' }))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    request.send(body)
  })
}
