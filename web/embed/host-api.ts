/** Requests of the embedding page: it creates the space and reads the submitted records. */
import type {
  ImporterFailure,
  ImporterFont,
  ImporterSpace,
  RecordsOptions,
  RecordsPage,
  SubmittedRecord,
  SubmittedSheet,
} from '../../packages/react/src/types.ts'
import type { FontFile } from './protocol.ts'

const TIMEOUT_MS = 30_000
const DEFAULT_PAGE_SIZE = 1000

export class Failure extends Error implements ImporterFailure {
  readonly code: ImporterFailure['code']
  constructor(code: ImporterFailure['code'], message: string) {
    super(message)
    this.code = code
  }
}

interface Call {
  token: string | null
  body?: unknown
}

async function request<T>(url: string, { token, body }: Call): Promise<T> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new Failure('network', `${new URL(url).origin} could not be reached: ${cause}`)
  })
  const result = (await response.json().catch(() => ({}))) as { data?: T; errors?: { message: string }[] }
  if (response.ok && result.data) return result.data
  const message = result.errors?.map((error) => error.message).join(' ') || `HTTP ${response.status}`
  throw new Failure(CODES[response.status] ?? 'server', message)
}

const CODES: Record<number, ImporterFailure['code']> = { 401: 'key', 403: 'origin' }

export const createSpace = (url: string, publishableKey: string | null, space: object): Promise<ImporterSpace> =>
  request(`${url}/api/v1/spaces`, { token: publishableKey, body: { ...space, autoConfigure: true } })

interface ApiRecord {
  id: string
  valid: boolean
  values: Record<string, { value: unknown }>
}

const simplify = ({ id, valid, values }: ApiRecord): SubmittedRecord => ({
  id,
  valid,
  values: Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, value])),
})

export async function* readRecords(
  url: string,
  token: string,
  sheets: readonly SubmittedSheet[],
  { sheet: wanted, pageSize = DEFAULT_PAGE_SIZE }: RecordsOptions = {},
): AsyncGenerator<RecordsPage, void> {
  const chosen = sheets.filter(({ id, slug }) => wanted === undefined || wanted === id || wanted === slug)
  if (wanted !== undefined && chosen.length === 0) throw new Error(`The submission has no sheet "${wanted}".`)
  for (const sheet of chosen)
    for (let pageNumber = 1; ; pageNumber++) {
      const query = `pageSize=${pageSize}&pageNumber=${pageNumber}&includeMessages=false`
      const page = await request<{ records: ApiRecord[] }>(`${url}/api/v1/sheets/${sheet.id}/records?${query}`, {
        token,
      })
      if (page.records.length > 0) yield { sheet, records: page.records.map(simplify) }
      if (page.records.length < pageSize) break
    }
}

/** A missing font leaves the importer usable, so it is only reported on the console. */
export async function loadFonts(fonts: readonly ImporterFont[] = []): Promise<FontFile[]> {
  const loaded = await Promise.all(
    fonts.map(async ({ url, ...font }) => {
      const response = await fetch(url).catch(() => undefined)
      if (response?.ok) return { ...font, bytes: await response.arrayBuffer() }
      console.warn(`wharf-importer: the font ${font.family} could not be loaded from ${url}.`)
      return undefined
    }),
  )
  return loaded.filter((font) => font !== undefined)
}
