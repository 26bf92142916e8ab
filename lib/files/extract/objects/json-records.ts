import type { Token } from 'stream-json/core/parser.js'
import { MAX_NESTING_LEVELS } from '../../../../schemas/files/shape.ts'
import { VALUE_BYTES } from '../../../../schemas/kit/byte-limits.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { Sink } from './sink.ts'

/** `document`: lists in the outermost object are tables. `lines`: each top-level value is a record. */
export type Layout = 'document' | 'lines'

/** A list in the outermost object is a table only once it contains an object or a list; otherwise it is a value. */
type Container =
  | { kind: 'table'; name: string; isConfirmed: boolean }
  | {
      kind: 'record'
      isRoot: boolean
      isList: boolean
      prefix: string
      key: string
      index: number
      isOutermost: boolean
    }

type RecordContainer = Container & { kind: 'record' }

const LITERALS = { trueValue: 'true', falseValue: 'false', nullValue: '' } as const

type RecordMessageKey = 'files.recordValueTooLong' | 'files.recordListTooLong' | 'files.recordTooDeep'

export class RecordReader {
  records = 0
  readonly #sink: Sink
  readonly #layout: Layout
  readonly #containers: Container[] = []
  #json: { text: string; depth: number; isFirst: boolean } | undefined
  #string = ''
  #documents = 0
  #hasTables = false
  readonly #rootValues: [string, string][] = []

  constructor(sink: Sink, layout: Layout) {
    this.#sink = sink
    this.#layout = layout
  }

  handleToken(token: Token): void {
    switch (token.name) {
      case 'startString':
      case 'startKey':
      case 'startNumber':
        this.#string = ''
        break
      case 'stringChunk':
      case 'numberChunk':
        this.#string += token.value
        if (this.#string.length > VALUE_BYTES) throw this.#createError('files.recordValueTooLong', VALUE_BYTES)
        break
      case 'endKey':
        this.#key(this.#string)
        break
      case 'endString':
        this.#scalar(this.#string, true)
        break
      case 'endNumber':
        this.#scalar(this.#string, false)
        break
      case 'trueValue':
      case 'falseValue':
      case 'nullValue':
        this.#scalar(LITERALS[token.name], false)
        break
      case 'startObject':
      case 'startArray':
        this.#open(token.name === 'startArray')
        break
      case 'endObject':
      case 'endArray':
        this.#close(token.name === 'endArray')
        break
    }
  }

  finish(): void {
    if (this.#containers.length > 0 || this.#json)
      throw unprocessable(message('files.jsonEndsEarly', { record: this.records + 1 }))
  }

  #createError(key: RecordMessageKey, count: number) {
    return unprocessable(message(key, { record: this.records + 1, count }))
  }

  get #container(): Container | undefined {
    return this.#containers.at(-1)
  }

  #key(key: string): void {
    const container = this.#container
    if (this.#json) this.#append(`${JSON.stringify(key)}:`, true)
    else if (container?.kind === 'record') container.key = key
  }

  #append(text: string, isKey = false): void {
    const json = this.#json!
    json.text += json.isFirst ? text : `,${text}`
    json.isFirst = isKey
    if (json.text.length > VALUE_BYTES) throw this.#createError('files.recordListTooLong', VALUE_BYTES)
  }

  #open(isList: boolean): void {
    if (this.#containers.length + (this.#json?.depth ?? 0) >= MAX_NESTING_LEVELS)
      throw this.#createError('files.recordTooDeep', MAX_NESTING_LEVELS)
    if (this.#json) {
      this.#append(isList ? '[' : '{')
      this.#json.depth++
      this.#json.isFirst = true
      return
    }
    const container = this.#container
    if (!container) this.#openOutermost(isList)
    else if (container.kind === 'record') this.#openInRecord(container, isList)
    else {
      container.isConfirmed = true
      this.#startRecord(container.name, isList)
    }
  }

  #openOutermost(isList: boolean): void {
    this.#nextDocument()
    if (this.#layout === 'lines') this.#startRecord('', isList)
    else if (isList) this.#containers.push({ kind: 'table', name: '', isConfirmed: true })
    else this.#containers.push(createRecordContainer({ isRoot: true }))
  }

  #nextDocument(): void {
    if (++this.#documents > 1 && this.#layout === 'document') throw new JsonLinesDetected()
  }

  #startRecord(table: string, isList: boolean): void {
    this.#hasTables = true
    this.#sink.start(table)
    this.#containers.push(createRecordContainer({ isList }))
  }

  #openInRecord(container: RecordContainer, isList: boolean): void {
    if (isList && container.isRoot && container.prefix === '')
      this.#containers.push({ kind: 'table', name: container.key, isConfirmed: false })
    else if (isList || container.isList) this.#json = { text: isList ? '[' : '{', depth: 1, isFirst: true }
    else
      this.#containers.push({
        ...container,
        prefix: `${container.prefix}${container.key}.`,
        key: '',
        isOutermost: false,
      })
  }

  #close(isList: boolean): void {
    const json = this.#json
    if (json) {
      json.text += isList ? ']' : '}'
      json.isFirst = false
      if (--json.depth > 0) return
      this.#json = undefined
      this.#value(json.text)
      return
    }
    const container = this.#containers.pop()!
    if (container.kind === 'table' || !container.isOutermost) return
    if (container.isRoot) this.#endRoot()
    else this.#endRecord()
  }

  #endRecord(): void {
    this.#sink.end()
    this.records++
  }

  #endRoot(): void {
    if (this.#hasTables) return
    if (this.#rootValues.length > MAX_FIELDS_PER_SHEET)
      throw unprocessable(message('files.tooManyValues', { count: MAX_FIELDS_PER_SHEET }))
    this.#sink.start('')
    for (const [column, text] of this.#rootValues) this.#sink.value(column, text)
    this.#endRecord()
  }

  #scalar(text: string, isString: boolean): void {
    if (this.#json) {
      this.#append(isString ? JSON.stringify(text) : text || 'null')
      return
    }
    const container = this.#container
    if (container?.kind === 'table' && !container.isConfirmed) {
      this.#containers.pop()
      this.#json = { text: '[', depth: 1, isFirst: true }
      this.#append(isString ? JSON.stringify(text) : text || 'null')
    } else this.#value(text)
  }

  #value(text: string): void {
    const container = this.#container
    if (!container) {
      this.#nextDocument()
      this.#addSingleValue('', text)
    } else if (container.kind === 'table') this.#addSingleValue(container.name, text)
    else {
      const column = container.isList ? `column ${++container.index}` : `${container.prefix}${container.key}`
      if (!container.isRoot) this.#sink.value(column, text)
      else if (this.#rootValues.length <= MAX_FIELDS_PER_SHEET) this.#rootValues.push([column, text])
    }
  }

  #addSingleValue(table: string, text: string): void {
    this.#hasTables = true
    this.#sink.start(table)
    this.#sink.value('value', text)
    this.#endRecord()
  }
}

const createRecordContainer = (flags: { isRoot?: boolean; isList?: boolean }): RecordContainer => ({
  ...{ kind: 'record', isRoot: false, isList: false, prefix: '', key: '', index: 0, isOutermost: true },
  ...flags,
})

export class JsonLinesDetected extends Error {}
