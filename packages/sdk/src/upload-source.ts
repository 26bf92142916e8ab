export type UploadStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** Reads a file in ranges, such as `openFile` of `@wharf/sdk/node` does. */
export interface RangeReader {
  name: string
  size: number
  read(start: number, end: number): Promise<Blob>
}

/** A stream needs its `size`, because the upload is signed for it. */
export type UploadInput =
  | Blob
  | ArrayBuffer
  | Uint8Array
  | RangeReader
  | { name: string; size: number; stream: UploadStream }

export function toReader(input: UploadInput): RangeReader {
  if (input instanceof Blob) {
    const name = 'name' in input ? String(input.name) : ''
    return { name, size: input.size, read: async (start, end) => input.slice(start, end) }
  }
  if (input instanceof ArrayBuffer || ArrayBuffer.isView(input))
    return toReader(new Blob([input as Uint8Array<ArrayBuffer>]))
  if ('read' in input) return input
  return { name: input.name, size: input.size, read: readInOrder(input.stream) }
}

/** Ranges must be requested in order; each request waits for the one before. */
function readInOrder(stream: UploadStream): RangeReader['read'] {
  const chunks = iterate(stream)
  let rest = new Uint8Array()
  let last: Promise<unknown> = Promise.resolve()
  const readNext = async (length: number): Promise<Blob> => {
    const parts: Uint8Array[] = []
    let missing = length
    while (missing > 0) {
      if (rest.length === 0) {
        const { value, done } = await chunks.next()
        if (done) throw new RangeError(`The stream ended ${missing} bytes before its size.`)
        rest = new Uint8Array(value)
      }
      parts.push(rest.subarray(0, missing))
      missing -= parts.at(-1)!.length
      rest = rest.subarray(parts.at(-1)!.length)
    }
    return new Blob(parts as Uint8Array<ArrayBuffer>[])
  }
  return (start, end) => {
    const part = last.then(() => readNext(end - start))
    last = part.catch(() => {})
    return part
  }
}

async function* iterate(stream: UploadStream): AsyncGenerator<Uint8Array, void, undefined> {
  if (Symbol.asyncIterator in stream) return yield* stream as AsyncIterable<Uint8Array>
  // Safari cannot iterate streams.
  const reader = (stream as ReadableStream<Uint8Array>).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}
