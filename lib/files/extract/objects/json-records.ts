/** Makes records of the tokens of JSON. */
import type { Token } from 'stream-json/core/parser.js'
import { NESTED_LEVELS } from '../../../../schemas/files.ts'
import { FIELDS_PER_SHEET } from '../../../../schemas/sheet.ts'
import { VALUE_BYTES } from '../../../../schemas/sizes.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { Sink } from './sink.ts'

/** `document`: lists in the outermost object are tables; `lines`: each outermost value is a record. */
export type Layout = 'document' | 'lines'

/**
 * A list of records (a list in the outermost object only once it has shown an object or a list), or a record with the
 * objects within. The outermost object is a record, unless there are lists of records in it.
 */
type Place =
  | { kind: 'table'; name: string; isSure: boolean }
  | {
      kind: 'record'
      isRoot: boolean
      isList: boolean
      prefix: string
      key: string
      index: number
      isOutermost: boolean
    }

type RecordPlace = Place & { kind: 'record' }

const LITERALS = { trueValue: 'true', falseValue: 'false', nullValue: '' } as const

export class RecordReader {
  /** Complete ones. */
  records = 0
  readonly #sink: Sink
  readonly #layout: Layout
  readonly #places: Place[] = []
  /** The text of a list within a record, and how deep it is in itself. */
  #json: { text: string; depth: number; isFirst: boolean } | undefined
  #string = ''
  #documents = 0
  #hasTables = false
  /** Of the outermost object: column and text. */
  readonly #rootValues: [string, string][] = []

  constructor(sink: Sink, layout: Layout) {
    this.#sink = sink
    this.#layout = layout
  }

  take(token: Token): void {
    switch (token.name) {
      case 'startString':
      case 'startKey':
      case 'startNumber':
        this.#string = ''
        break
      case 'stringChunk':
      case 'numberChunk':
        this.#string += token.value
        if (this.#string.length > VALUE_BYTES) throw this.#refused(`has a value of more than ${VALUE_BYTES} characters`)
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

  /** The file is over. */
  finish(): void {
    if (this.#places.length > 0 || this.#json) throw unprocessable(`The JSON ends within record ${this.records + 1}.`)
  }

  #refused(what: string) {
    return unprocessable(`Record ${this.records + 1} ${what}.`)
  }

  get #place(): Place | undefined {
    return this.#places.at(-1)
  }

  #key(key: string): void {
    const place = this.#place
    if (this.#json) this.#append(`${JSON.stringify(key)}:`, true)
    else if (place?.kind === 'record') place.key = key
  }

  /** Adds to the text of a list. @param isKey its value follows without a comma */
  #append(text: string, isKey = false): void {
    const json = this.#json!
    json.text += json.isFirst ? text : `,${text}`
    json.isFirst = isKey
    if (json.text.length > VALUE_BYTES) throw this.#refused(`has a list of more than ${VALUE_BYTES} characters`)
  }

  #open(isList: boolean): void {
    if (this.#places.length + (this.#json?.depth ?? 0) >= NESTED_LEVELS)
      throw this.#refused(`is nested more than ${NESTED_LEVELS} deep`)
    if (this.#json) {
      this.#append(isList ? '[' : '{')
      this.#json.depth++
      this.#json.isFirst = true
      return
    }
    const place = this.#place
    if (!place) this.#openOutermost(isList)
    else if (place.kind === 'record') this.#openInRecord(place, isList)
    else {
      place.isSure = true
      this.#startRecord(place.name, isList)
    }
  }

  #openOutermost(isList: boolean): void {
    this.#nextDocument()
    if (this.#layout === 'lines') this.#startRecord('', isList)
    else if (isList) this.#places.push({ kind: 'table', name: '', isSure: true })
    else this.#places.push(recordPlace({ isRoot: true }))
  }

  /** A second document shows that they are lines, and the first a record. */
  #nextDocument(): void {
    if (++this.#documents > 1 && this.#layout === 'document') throw new AreLines()
  }

  #startRecord(table: string, isList: boolean): void {
    this.#hasTables = true
    this.#sink.start(table)
    this.#places.push(recordPlace({ isList }))
  }

  #openInRecord(place: RecordPlace, isList: boolean): void {
    if (isList && place.isRoot && place.prefix === '')
      this.#places.push({ kind: 'table', name: place.key, isSure: false })
    else if (isList || place.isList) this.#json = { text: isList ? '[' : '{', depth: 1, isFirst: true }
    else this.#places.push({ ...place, prefix: `${place.prefix}${place.key}.`, key: '', isOutermost: false })
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
    const place = this.#places.pop()!
    if (place.kind === 'table' || !place.isOutermost) return
    if (place.isRoot) this.#endRoot()
    else this.#endRecord()
  }

  #endRecord(): void {
    this.#sink.end()
    this.records++
  }

  /** What stands beside lists of records is no record. */
  #endRoot(): void {
    if (this.#hasTables) return
    if (this.#rootValues.length > FIELDS_PER_SHEET)
      throw unprocessable(
        `The outermost object has more than ${FIELDS_PER_SHEET} values: a list of records was expected, or lists by name.`,
      )
    this.#sink.start('')
    for (const [column, text] of this.#rootValues) this.#sink.value(column, text)
    this.#endRecord()
  }

  #scalar(text: string, isString: boolean): void {
    if (this.#json) {
      this.#append(isString ? JSON.stringify(text) : text || 'null')
      return
    }
    const place = this.#place
    if (place?.kind === 'table' && !place.isSure) {
      // A list of values in the outermost object belongs to it.
      this.#places.pop()
      this.#json = { text: '[', depth: 1, isFirst: true }
      this.#append(isString ? JSON.stringify(text) : text || 'null')
    } else this.#value(text)
  }

  #value(text: string): void {
    const place = this.#place
    if (!place) {
      this.#nextDocument()
      this.#single('', text)
    } else if (place.kind === 'table') this.#single(place.name, text)
    else {
      const column = place.isList ? `column ${++place.index}` : `${place.prefix}${place.key}`
      if (!place.isRoot) this.#sink.value(column, text)
      else if (this.#rootValues.length <= FIELDS_PER_SHEET) this.#rootValues.push([column, text])
    }
  }

  /** A record that is a value alone. */
  #single(table: string, text: string): void {
    this.#hasTables = true
    this.#sink.start(table)
    this.#sink.value('value', text)
    this.#endRecord()
  }
}

const recordPlace = (how: { isRoot?: boolean; isList?: boolean }): RecordPlace => ({
  ...{ kind: 'record', isRoot: false, isList: false, prefix: '', key: '', index: 0, isOutermost: true },
  ...how,
})

/** A file that began as one document goes on with another: it is JSON lines. */
export class AreLines extends Error {}
