import type { Query, Wharf } from '../../sdk/src/index.ts'
import type { DeliveredEvent, RecordChange, SheetRecord } from './types.ts'

const MAX_RECORDS_PER_CALL = 10_000
const MAX_IDS_PER_CALL = 100

const isPayloadUrl = (dataUrl: string | undefined): boolean => /\/events\/[^/]+\/payload\b/.test(dataUrl ?? '')

export const loadPayload = async (src: DeliveredEvent, getClient: () => Wharf): Promise<DeliveredEvent> =>
  isPayloadUrl(src.dataUrl) ? { ...src, payload: await getClient().events.payload(src.id) } : src

function normalize({ payload, ...src }: DeliveredEvent): DeliveredEvent {
  const isCompleted =
    src.topic.startsWith('job:') && (payload as { status?: string } | undefined)?.status === 'complete'
  return { ...src, payload: isCompleted ? { ...(payload as object), status: 'completed' } : payload }
}

function* split<T>(items: readonly T[], size: number): Generator<T[], void, undefined> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

export class ListenerEvent {
  readonly src: DeliveredEvent
  readonly id: string
  readonly topic: string
  readonly domain: string
  readonly context: Record<string, unknown>
  readonly payload: unknown
  readonly namespaces: readonly string[]
  readonly attributes: unknown
  readonly createdAt: string
  readonly #getClient: () => Wharf

  constructor(src: DeliveredEvent, getClient: () => Wharf) {
    this.src = normalize(src)
    this.#getClient = getClient
    const { id, topic, domain, context, payload, namespaces = [], attributes, createdAt } = this.src
    this.id = id
    this.topic = topic
    this.domain = domain
    this.context = context
    this.payload = payload
    this.namespaces = namespaces
    this.attributes = attributes
    this.createdAt = createdAt
  }

  get wharf(): Wharf {
    return this.#getClient()
  }

  async secret(name: string): Promise<string> {
    const { environmentId, spaceId } = this.context as { environmentId: string; spaceId?: string }
    const secrets = await this.wharf.secrets.list({ environmentId, ...(spaceId ? { spaceId } : {}) })
    const found = secrets.find((secret) => secret.name === name)
    if (!found) throw new Error(`There is no secret ${name} in the environment or space of the event.`)
    return found.value
  }

  async records(): Promise<SheetRecord[]> {
    const { recordIds } = (this.payload ?? {}) as { recordIds?: string[] }
    if (recordIds) return this.#readByIds(recordIds)
    const query = new URLSearchParams(this.src.dataUrl?.split('?')[1])
    if (!query.has('commitId')) throw new Error(`An event of ${this.topic} has no records.`)
    return this.#read(Object.fromEntries(query))
  }

  async update(changes: readonly RecordChange[]): Promise<void> {
    for (const part of split(changes, MAX_RECORDS_PER_CALL))
      await this.wharf.records.update(this.#sheetId, part, { for: this.id })
  }

  get #sheetId(): string {
    const { sheetId } = this.context
    if (typeof sheetId !== 'string' || !sheetId) throw new Error(`An event of ${this.topic} has no sheet.`)
    return sheetId
  }

  async #read(query: Query<'records.list'>): Promise<SheetRecord[]> {
    const records: SheetRecord[] = []
    const pages = this.wharf.records.listAll(this.#sheetId, { ...query, pageSize: MAX_RECORDS_PER_CALL })
    for await (const record of pages) records.push(record)
    return records
  }

  async #readByIds(recordIds: readonly string[]): Promise<SheetRecord[]> {
    const records: SheetRecord[] = []
    for (const ids of split(recordIds, MAX_IDS_PER_CALL)) records.push(...(await this.#read({ ids })))
    return records
  }
}
