/** Longer texts are compressed, because AWS limits a request to 6 MB. */
const MAX_PLAIN_CHARACTERS = 1_000_000

export interface Content {
  bytes: string | ArrayBuffer | Blob | FormData | undefined
  headers: Record<string, string>
}

/** JSON Lines; other texts are values in JSON. */
export class Lines {
  readonly text: string | Blob
  constructor(text: string | Blob) {
    this.text = text
  }
}

export async function encodeBody(body: unknown): Promise<Content> {
  if (body === undefined) return { bytes: undefined, headers: {} }
  if (body instanceof FormData) return { bytes: body, headers: {} }
  if (body instanceof Lines) return compress(body.text, 'application/jsonl')
  return compress(JSON.stringify(body), 'application/json')
}

async function compress(text: string | Blob, type: string): Promise<Content> {
  if ((typeof text === 'string' ? text.length : text.size) <= MAX_PLAIN_CHARACTERS)
    return { bytes: text, headers: { 'content-type': type } }
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  const bytes = await new Response(stream).arrayBuffer()
  return { bytes, headers: { 'content-type': type, 'content-encoding': 'gzip' } }
}

export function toForm(fields: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}
