/**
 * Reads XML as records: the outermost repeating elements, one table per kind.
 * Nested elements and attributes become dotted columns (`address.city`, `price.@currency`), repeated ones become lists.
 */

import { MAX_NESTING_LEVELS } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { FileBytes } from '../bytes.ts'
import { MAX_ROW_BYTES } from '../cell-buffer.ts'
import type { Source } from '../source.ts'
import { type Attributes, localName, parseXml, type XmlHandler } from '../xml.ts'
import { openRecords, type RecordParser, type Sink } from './sink.ts'

export async function openXml(file: FileBytes): Promise<Source> {
  const records = await findRecordPaths(file)
  const isSingleTable = records.size === 1
  return openRecords(file, (bytes, sink) => parseRecords(bytes, sink, records, isSingleTable))
}

async function* readXml(file: FileBytes, handler: XmlHandler): AsyncGenerator<number> {
  const stream = await file.stream()
  try {
    yield* parseXml(stream, handler)
  } finally {
    stream.destroy()
  }
}

const MAX_ELEMENT_KINDS = 10_000

interface Kind {
  path: string
  parent: Kind | undefined
  depth: number
  count: number
  isNested: boolean
}

async function findRecordPaths(file: FileBytes): Promise<Set<string>> {
  const kinds = new Map<string, Kind>()
  const openElements: Kind[] = []
  for await (const _ of readXml(file, {
    open(qualified, attributes) {
      const parent = openElements.at(-1)
      if (openElements.length >= MAX_NESTING_LEVELS)
        throw unprocessable(message('files.elementTooDeep', { element: parent!.path, count: MAX_NESTING_LEVELS }))
      const path = parent ? `${parent.path}/${localName(qualified)}` : localName(qualified)
      let kind = kinds.get(path)
      if (!kind) {
        if (kinds.size >= MAX_ELEMENT_KINDS)
          throw unprocessable(message('files.tooManyElements', { count: MAX_ELEMENT_KINDS }))
        kind = { path, parent, depth: openElements.length, count: 0, isNested: false }
        kinds.set(path, kind)
      }
      kind.count++
      kind.isNested ||= listDataAttributes(attributes).length > 0
      if (parent) parent.isNested = true
      openElements.push(kind)
    },
    close: () => void openElements.pop(),
    text: () => {},
  }));
  return chooseRecordPaths([...kinds.values()])
}

/** Outermost repeating kinds; otherwise nested elements in the root, otherwise the root. */
function chooseRecordPaths(kinds: readonly Kind[]): Set<string> {
  const repeated = kinds.filter((kind) => kind.count > 1 && hasOnlySingleAncestors(kind))
  const nested = repeated.filter(({ isNested }) => isNested)
  const outermost = nested.length > 0 ? nested : repeated.filter(({ depth }) => depth === 1)
  const fallback = kinds.filter(({ depth, isNested }) => depth === 1 && isNested)
  const records =
    outermost.length > 0 ? outermost : fallback.length > 0 ? fallback : kinds.filter(({ depth }) => depth === 0)
  return new Set(records.map(({ path }) => path))
}

function hasOnlySingleAncestors({ parent }: Kind): boolean {
  for (let ancestor = parent; ancestor; ancestor = ancestor.parent) if (ancestor.count > 1) return false
  return parent !== undefined
}

const listDataAttributes = (attributes: Attributes): [name: string, text: string][] =>
  Object.entries(attributes).filter(([name]) => !/^(?:xmlns(?::|$)|xsi:)/.test(name))

async function* parseRecords(
  file: FileBytes,
  sink: Sink,
  records: ReadonlySet<string>,
  isSingleTable: boolean,
): ReturnType<RecordParser> {
  yield* readXml(file, new RecordReader(sink, records, isSingleTable))
}

class RecordReader implements XmlHandler {
  readonly #sink: Sink
  readonly #records: ReadonlySet<string>
  readonly #isOnly: boolean
  readonly #paths: string[] = []
  #recordDepth = 0
  readonly #names: string[] = []
  readonly #texts: string[] = []
  #values = new Map<string, string[]>()
  #bytes = 0

  constructor(sink: Sink, records: ReadonlySet<string>, isSingleTable: boolean) {
    this.#sink = sink
    this.#records = records
    this.#isOnly = isSingleTable
  }

  open(qualified: string, attributes: Attributes): void {
    const name = localName(qualified)
    const parentPath = this.#paths.at(-1)
    this.#paths.push(parentPath === undefined ? name : `${parentPath}/${name}`)
    if (this.#recordDepth > 0) this.#names.push(name)
    else if (this.#records.has(this.#paths.at(-1)!)) {
      this.#recordDepth = this.#paths.length
      this.#sink.start(this.#isOnly ? '' : name)
    } else return
    this.#texts.push('')
    for (const [attribute, text] of listDataAttributes(attributes))
      this.#add([...this.#names, `@${attribute}`].join('.'), text)
  }

  text(text: string): void {
    if (this.#recordDepth === 0) return
    this.#texts[this.#texts.length - 1] += text
    this.#bytes += text.length
    if (this.#bytes > MAX_ROW_BYTES)
      throw unprocessable(message('files.xmlRecordTooLong', { element: this.#paths.at(-1)!, count: MAX_ROW_BYTES }))
  }

  close(): void {
    if (this.#recordDepth > 0) {
      const text = this.#texts.pop()!.trim()
      const isRecord = this.#paths.length === this.#recordDepth
      if (!isRecord) {
        const column = this.#names.join('.')
        if (text !== '' || !this.#hasWithin(column)) this.#add(column, text)
        this.#names.pop()
      } else this.#endRecord(text)
    }
    this.#paths.pop()
  }

  #hasWithin(column: string): boolean {
    for (const key of this.#values.keys()) if (key.startsWith(`${column}.`)) return true
    return false
  }

  #add(column: string, text: string): void {
    const values = this.#values.get(column)
    if (values) values.push(text)
    else this.#values.set(column, [text])
  }

  #endRecord(text: string): void {
    if (text !== '') this.#add('value', text)
    for (const [column, values] of this.#values)
      this.#sink.value(column, values.length === 1 ? values[0]! : JSON.stringify(values))
    this.#sink.end()
    this.#values = new Map()
    this.#bytes = 0
    this.#recordDepth = 0
  }
}
