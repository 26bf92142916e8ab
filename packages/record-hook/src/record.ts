import { type Page, writeCell } from './page.ts'
import type {
  FlatfileRecord,
  LinkedRecord,
  MessageLevel,
  MessageStage,
  Primitive,
  RecordMessage,
  RecordValue,
} from './types.ts'

type RawData = Record<string, unknown>

const isObject = (value: unknown): value is RawData => typeof value === 'object' && value !== null
const hasOwn = (value: object, key: string): boolean => Object.hasOwn(value, key)

const unwrap = (raw: unknown): unknown => (isObject(raw) && hasOwn(raw, 'value') ? raw.value : raw)

const isLinked = (raw: unknown): raw is { value: unknown; links: LinkedRecord[] } =>
  isObject(raw) && hasOwn(raw, 'value') && hasOwn(raw, 'links')

export class PageRecord implements FlatfileRecord {
  messages: RecordMessage[] | undefined
  config: Record<string, unknown> | undefined
  metadata: object | undefined
  data: RawData | undefined
  readonly page: Page
  readonly row: number

  constructor(page: Page, row: number) {
    this.page = page
    this.row = row
  }

  get rowId(): string {
    return this.page.getId(this.row)
  }

  get originalValue(): RawData {
    return this.#toObject((key) => this.#readOriginal(key))
  }

  get value(): RawData {
    this.data ??= this.#toObject((key) => this.#read(key))
    return this.data
  }

  get obj(): Record<string, RecordValue> {
    return Object.fromEntries(
      Object.entries(this.data ?? this.value).map(([key, raw]) => [
        key,
        (isObject(raw) && 'value' in raw ? raw.value : raw) as RecordValue,
      ]),
    )
  }

  get(field: string): RecordValue {
    const column = this.page.columns.get(field)
    if (!column) return null
    const raw = this.data || this.page.links.size ? this.#read(field) : column.values[this.row]
    return unwrap(raw) as RecordValue
  }

  set(field: string, value: RecordValue): this | undefined {
    const column = this.page.columns.get(field)
    if (!column) {
      console.error(`Record does not have field "${field}".`)
      return this
    }
    if (!this.page.links.size && !this.data) {
      writeCell(column, this.row, value)
      return this
    }
    const before = this.#read(field)
    if (isLinked(before)) {
      if (before.value === value) return undefined
      this.#write(field, { value })
    } else this.#write(field, value)
    return this
  }

  getLinks(field: string): LinkedRecord[] | null {
    const raw = this.page.columns.has(field) ? this.#read(field) : undefined
    return (isObject(raw) && (raw.links as LinkedRecord[] | undefined)) || null
  }

  getLinkedValue(field: string, linkedField: string): unknown {
    return this.page.columns.has(field) ? (this.data?.[`${field}::${linkedField}`] ?? null) : null
  }

  setLinkedValue(field: string, linkedField: string, value: Primitive): this {
    if (this.page.columns.has(field)) this.value[`${field}::${linkedField}`] = value
    return this
  }

  getMetadata(): object {
    this.metadata ??= { ...this.page.metadata.get(this.row) }
    return this.metadata
  }

  setMetadata(metadata: object): this {
    this.metadata = metadata
    return this
  }

  setReadOnly(...fields: string[]): void {
    this.#configure(true, fields)
  }

  setWritable(...fields: string[]): void {
    this.#configure(false, fields)
  }

  getErrors(fields?: string | string[]): RecordMessage[] {
    const errors = (this.messages ?? []).filter(({ level }) => level === 'error')
    if (!fields) return errors
    const wanted = Array.isArray(fields) ? fields : [fields]
    return errors.filter(({ field }) => wanted.includes(field))
  }

  addInfo(fields: string | string[], message: string, listItem?: string): this {
    return this.pushInfoMessage(fields, message, 'info', 'other', listItem)
  }

  addComment(fields: string | string[], message: string, listItem?: string): this {
    return this.addInfo(fields, message, listItem)
  }

  addError(fields: string | string[], message: string, listItem?: string): this {
    return this.pushInfoMessage(fields, message, 'error', 'other', listItem)
  }

  addWarning(fields: string | string[], message: string, listItem?: string): this {
    return this.pushInfoMessage(fields, message, 'warn', 'other', listItem)
  }

  pushInfoMessage(
    fields: string | string[],
    message: string,
    level: MessageLevel,
    stage: MessageStage,
    listItem?: string,
  ): this {
    for (const field of Array.isArray(fields) ? fields : [fields]) {
      if (!this.page.columns.has(field)) continue
      const value = listItem ? this.get(field) : undefined
      const path = Array.isArray(value) ? `$.value[${value.indexOf(listItem as Primitive)}]` : undefined
      this.messages ??= []
      this.messages.push({ field, message, level, stage, path })
    }
    return this
  }

  compute(field: string, compute: (value: RecordValue, record: this) => RecordValue, message?: string): this {
    this.set(field, compute(this.get(field), this))
    return message ? this.addComment(field, message) : this
  }

  computeIfPresent(field: string, compute: (value: RecordValue, record: this) => RecordValue, message?: string): this {
    return this.get(field) ? this.compute(field, compute, message) : this
  }

  validate(field: string, isValid: (value: RecordValue, record: this) => boolean, message: string): this {
    return isValid(this.get(field), this) ? this : this.addError(field, message)
  }

  toJSON() {
    return {
      row: { rawData: this.value, rowId: this.rowId, metadata: this.getMetadata() },
      config: this.config ?? {},
      info: this.messages ?? [],
    }
  }

  #read(field: string): unknown {
    if (this.data) return this.data[field]
    const { original, values } = this.page.columns.get(field)!
    return values === original ? this.#readOriginal(field) : this.#link(field, values[this.row])
  }

  #readOriginal(field: string): unknown {
    return this.#link(field, this.page.columns.get(field)!.original[this.row])
  }

  #link(field: string, value: unknown): unknown {
    if (!this.page.links.size || (isObject(value) && !Array.isArray(value))) return value
    const links = this.page.links.get(field)?.get(this.row)
    return links ? { value, links } : value
  }

  #write(field: string, raw: unknown): void {
    if (this.data) this.data[field] = raw
    else writeCell(this.page.columns.get(field)!, this.row, raw)
  }

  #toObject(read: (key: string) => unknown): RawData {
    return Object.fromEntries([...this.page.columns.keys()].map((key) => [key, read(key)]))
  }

  #configure(readonly: boolean, fields: readonly string[]): void {
    this.config ??= {}
    if (!fields.length) this.config.readonly = readonly
    for (const field of fields) this.config.fields = { ...(this.config.fields as object), [field]: { readonly } }
  }
}
