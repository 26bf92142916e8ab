/**
 * The messages of a segment as one chunk, and slots: a cell has the constraints' messages ("rules", made here) and the
 * hooks' messages ("hooks", stored as given), each replaced as a whole. Uniqueness messages are not stored: they derive
 * from the segment's flags. Pure.
 */

import { getOrMake } from '../bytes/maps.ts'
import type { Message } from '../sheet.ts'

export type Slot = 'rules' | 'hooks'

/** Messages of one cell by slot. */
export interface CellMessages {
  rules?: readonly Message[]
  hooks?: readonly Message[]
}
/** Row -> field key -> messages; only cells that have any. */
export type RowMessages = ReadonlyMap<number, ReadonlyMap<string, CellMessages>>

export const hasError = (messages: readonly Message[] | undefined): boolean =>
  messages?.some((message) => message.type === 'error') ?? false

/** Numbers distinct values: messages and field names of a chunk or entry are stored once. */
export interface Dictionary<T> {
  entries: T[]
  indexOf: (value: T) => number
}

export function dictionary<T>(): Dictionary<T> {
  const entries: T[] = []
  const byValue = new Map<T, number>()
  const byText = new Map<string, number>()
  const indexOf = (value: T): number => {
    const known = byValue.get(value)
    if (known !== undefined) return known
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    let index = byText.get(text)
    if (index === undefined) {
      index = entries.push(value) - 1
      byText.set(text, index)
    }
    byValue.set(value, index)
    return index
  }
  return { entries, indexOf }
}

/** Stored form: messages, fields, then flat `[row, field*2 + slot, message, ...]`. */
interface MessageChunk {
  d: Message[]
  c: string[]
  t: number[]
}

export interface MessageWriter {
  messages: Dictionary<Message>
  fields: Dictionary<string>
  triples: number[]
}

export const messageWriter = (): MessageWriter => ({ messages: dictionary(), fields: dictionary(), triples: [] })

export function writeMessages(
  writer: MessageWriter,
  row: number,
  field: string,
  slot: Slot,
  messages: readonly Message[],
): void {
  const cell = writer.fields.indexOf(field) * 2 + (slot === 'hooks' ? 1 : 0)
  for (const message of messages) writer.triples.push(row, cell, writer.messages.indexOf(message))
}

/** The chunk's text; empty when there is no message. */
export function takeMessages(writer: MessageWriter): Buffer {
  if (!writer.triples.length) return Buffer.alloc(0)
  const chunk: MessageChunk = { d: writer.messages.entries, c: writer.fields.entries, t: writer.triples }
  return Buffer.from(JSON.stringify(chunk))
}

interface MutableCell {
  rules?: Message[]
  hooks?: Message[]
}

const noMessages: RowMessages = new Map()
/** A chunk at hand is parsed once: writers look into it for every row they touch. */
const readOnce = new WeakMap<Buffer, RowMessages>()

export function readMessages(raw: Buffer | undefined): RowMessages {
  if (!raw?.length) return noMessages
  const known = readOnce.get(raw)
  if (known) return known
  const rows = parseMessages(raw)
  readOnce.set(raw, rows)
  return rows
}

function parseMessages(raw: Buffer): RowMessages {
  const rows = new Map<number, Map<string, MutableCell>>()
  const { d, c, t } = JSON.parse(raw.toString('utf8')) as MessageChunk
  for (let i = 0; i < t.length; i += 3) {
    const row = t[i]!
    const slot = t[i + 1]!
    const field = c[slot >> 1]!
    const cells = getOrMake(rows, row, () => new Map<string, MutableCell>())
    const cell = getOrMake(cells, field, (): MutableCell => ({}))
    const name: Slot = slot & 1 ? 'hooks' : 'rules'
    cell[name] ??= []
    cell[name].push(d[t[i + 2]!]!)
  }
  return rows
}

/** A slot of a cell by name, as error bookkeeping uses it: `r.<field>` or `h.<field>`. */
export const slotName = (slot: Slot, field: string): string => `${slot === 'rules' ? 'r' : 'h'}.${field}`

/** Names of the slots of a row that hold an error. */
export function errorSlots(cells: ReadonlyMap<string, CellMessages> | undefined): string[] {
  const slots: string[] = []
  for (const [field, cell] of cells ?? []) {
    if (hasError(cell.rules)) slots.push(slotName('rules', field))
    if (hasError(cell.hooks)) slots.push(slotName('hooks', field))
  }
  return slots
}
