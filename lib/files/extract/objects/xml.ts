/**
 * XML as records: the outermost elements that repeat are records, each kind a table. Elements and attributes within become
 * columns with dotted names (`address.city`, `price.@currency`); what repeats within a record becomes a list.
 */
import { NESTED_LEVELS } from '../../../../schemas/files.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { FileBytes } from '../bytes.ts'
import { ROW_BYTES } from '../cell-buffer.ts'
import type { Source } from '../source.ts'
import { type Attributes, localName, parseXml, type XmlHandler } from '../xml.ts'
import { openRecords, type RecordParser, type Sink } from './sink.ts'

export async function openXml(file: FileBytes): Promise<Source> {
  const records = await recordPathsOf(file)
  const isOnly = records.size === 1
  return openRecords(file, (bytes, sink) => parse(bytes, sink, records, isOnly))
}

async function* read(file: FileBytes, handler: XmlHandler): AsyncGenerator<number> {
  const stream = await file.stream()
  try {
    yield* parseXml(stream, handler)
  } finally {
    stream.destroy()
  }
}

/** Kinds of elements a file has at most. */
const PATHS = 10_000

interface Kind {
  path: string
  parent: Kind | undefined
  depth: number
  count: number
  /** It has elements or attributes within. */
  isNested: boolean
}

/** The paths of the elements that are records: `people/person`. */
async function recordPathsOf(file: FileBytes): Promise<Set<string>> {
  const kinds = new Map<string, Kind>()
  const open: Kind[] = []
  for await (const _ of read(file, {
    open(qualified, attributes) {
      const parent = open.at(-1)
      if (open.length >= NESTED_LEVELS)
        throw unprocessable(`Element ${parent!.path} is nested ${NESTED_LEVELS} deep: deeper ones are not read.`)
      const path = parent ? `${parent.path}/${localName(qualified)}` : localName(qualified)
      let kind = kinds.get(path)
      if (!kind) {
        if (kinds.size >= PATHS) throw unprocessable(`The XML has more than ${PATHS} kinds of elements.`)
        kind = { path, parent, depth: open.length, count: 0, isNested: false }
        kinds.set(path, kind)
      }
      kind.count++
      kind.isNested ||= columnsIn(attributes).length > 0
      if (parent) parent.isNested = true
      open.push(kind)
    },
    close: () => void open.pop(),
    text: () => {},
  }));
  return chosen([...kinds.values()])
}

/** The outermost kinds that repeat; where none does, the nested ones in the root, or the root itself. */
function chosen(kinds: readonly Kind[]): Set<string> {
  const repeated = kinds.filter((kind) => kind.count > 1 && isWithinSingles(kind))
  const nested = repeated.filter(({ isNested }) => isNested)
  const found = nested.length > 0 ? nested : repeated.filter(({ depth }) => depth === 1)
  const fallback = kinds.filter(({ depth, isNested }) => depth === 1 && isNested)
  const records = found.length > 0 ? found : fallback.length > 0 ? fallback : kinds.filter(({ depth }) => depth === 0)
  return new Set(records.map(({ path }) => path))
}

function isWithinSingles({ parent }: Kind): boolean {
  for (let above = parent; above; above = above.parent) if (above.count > 1) return false
  return parent !== undefined
}

/** Attributes that hold data: not what namespaces are declared with. */
const columnsIn = (attributes: Attributes): [name: string, text: string][] =>
  Object.entries(attributes).filter(([name]) => !/^(?:xmlns(?::|$)|xsi:)/.test(name))

async function* parse(
  file: FileBytes,
  sink: Sink,
  records: ReadonlySet<string>,
  isOnly: boolean,
): ReturnType<RecordParser> {
  yield* read(file, new RecordReader(sink, records, isOnly))
}

class RecordReader implements XmlHandler {
  readonly #sink: Sink
  readonly #records: ReadonlySet<string>
  readonly #isOnly: boolean
  /** Paths of the open elements, from the root. */
  readonly #paths: string[] = []
  /** How many elements are open where the record began; 0 outside of one. */
  #recordDepth = 0
  /** Names of the open elements within the record. */
  readonly #names: string[] = []
  /** Text of each of them, and of the record. */
  readonly #texts: string[] = []
  #values = new Map<string, string[]>()
  #bytes = 0

  constructor(sink: Sink, records: ReadonlySet<string>, isOnly: boolean) {
    this.#sink = sink
    this.#records = records
    this.#isOnly = isOnly
  }

  open(qualified: string, attributes: Attributes): void {
    const name = localName(qualified)
    const above = this.#paths.at(-1)
    this.#paths.push(above === undefined ? name : `${above}/${name}`)
    if (this.#recordDepth > 0) this.#names.push(name)
    else if (this.#records.has(this.#paths.at(-1)!)) {
      this.#recordDepth = this.#paths.length
      this.#sink.start(this.#isOnly ? '' : name)
    } else return
    this.#texts.push('')
    for (const [attribute, text] of columnsIn(attributes)) this.#add([...this.#names, `@${attribute}`].join('.'), text)
  }

  text(text: string): void {
    if (this.#recordDepth === 0) return
    this.#texts[this.#texts.length - 1] += text
    this.#bytes += text.length
    if (this.#bytes > ROW_BYTES)
      throw unprocessable(`A record of ${this.#paths.at(-1)} has more than ${ROW_BYTES} characters.`)
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
