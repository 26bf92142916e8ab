/**
 * Encodes the messages of a segment as one chunk. Each cell has two slots, each replaced as a whole: "rules" for
 * constraint messages and "hooks" for messages from hooks. Uniqueness messages are not stored; they follow from the
 * flags. The texts that values were read from are lists by row, because a column of an import can have one in each cell.
 */

import { memoize } from '../../core/memo.ts'
import { buildOriginalNote, type Note } from '../../values/read-cell.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { Message } from '../sheet.ts'

export type Slot = 'rules' | 'hooks'

export interface CellMessages {
  rules?: readonly Message[]
  hooks?: readonly Message[]
}
export type RowMessages = ReadonlyMap<number, ReadonlyMap<string, CellMessages>>

export const hasError = (messages: readonly Message[] | undefined): boolean =>
  messages?.some((message) => message.type === 'error') ?? false

export interface Dictionary<T> {
  entries: T[]
  indexOf: (value: T) => number
}

export function createDictionary<T>(): Dictionary<T> {
  const entries: T[] = []
  const byValue = new Map<T, number>()
  const byText = new Map<string, number>()
  const indexOf = (value: T): number => {
    const knownIndex = byValue.get(value)
    if (knownIndex !== undefined) return knownIndex
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

/** Stored form: messages, fields, flat `[row, field * 2 + slot, message, ...]`, then originals by field and row. */
interface MessageChunk {
  d: Message[]
  c: string[]
  t: number[]
  o?: Originals[]
}
type Originals = [field: number, texts: (string | 0)[]]

export interface MessageWriter {
  messages: Dictionary<Message>
  fields: Dictionary<string>
  triples: number[]
  originals: Map<string, (string | 0)[]>
}

export const createMessageWriter = (): MessageWriter => ({
  messages: createDictionary(),
  fields: createDictionary(),
  triples: [],
  originals: new Map(),
})

export function writeMessages(
  writer: MessageWriter,
  row: number,
  field: string,
  slot: Slot,
  messages: readonly Message[],
): void {
  for (const message of messages)
    if (message.original !== undefined) writeOriginal(writer, row, field, message.original)
    else {
      const cell = writer.fields.indexOf(field) * 2 + (slot === 'hooks' ? 1 : 0)
      writer.triples.push(row, cell, writer.messages.indexOf(message))
    }
}

function writeOriginal({ originals }: MessageWriter, row: number, field: string, original: string): void {
  const texts = getOrInsert(originals, field, (): (string | 0)[] => [])
  while (texts.length < row) texts.push(0)
  texts[row] = original
}

export function encodeMessages(writer: MessageWriter): Buffer {
  if (!writer.triples.length && !writer.originals.size) return Buffer.alloc(0)
  const o = [...writer.originals].map(([field, texts]): Originals => [writer.fields.indexOf(field), texts])
  const chunk: MessageChunk = {
    ...{ d: writer.messages.entries, c: writer.fields.entries, t: writer.triples },
    ...(o.length ? { o } : {}),
  }
  return Buffer.from(JSON.stringify(chunk))
}

interface MutableCell {
  rules?: Message[]
  hooks?: Message[]
}

const noMessages: RowMessages = new Map()
export const readMessages = (raw: Buffer | undefined): RowMessages =>
  raw?.length ? readParsedMessages(raw) : noMessages

const readParsedMessages = memoize(parseMessages)

function parseMessages(raw: Buffer): RowMessages {
  const rows = new Map<number, Map<string, MutableCell>>()
  const { d, c, t, o = [] } = JSON.parse(raw.toString('utf8')) as MessageChunk
  const getCell = (row: number, field: string): MutableCell =>
    getOrInsert(
      getOrInsert(rows, row, () => new Map<string, MutableCell>()),
      field,
      (): MutableCell => ({}),
    )
  for (const [field, texts] of o) readOriginals(c[field]!, texts, getCell)
  for (let i = 0; i < t.length; i += 3) {
    const row = t[i]!
    const slot = t[i + 1]!
    const cell = getCell(row, c[slot >> 1]!)
    const name: Slot = slot & 1 ? 'hooks' : 'rules'
    cell[name] ??= []
    cell[name].push(d[t[i + 2]!]!)
  }
  return rows
}

function readOriginals(
  field: string,
  texts: readonly (string | 0)[],
  getCell: (row: number, field: string) => MutableCell,
): void {
  const notes = new Map<string, Note>()
  for (const [row, text] of texts.entries())
    if (text !== 0) getCell(row, field).hooks = [getOrInsert(notes, text, () => buildOriginalNote(field, text))]
}

export const formatSlotKey = (slot: Slot, field: string): string => `${slot === 'rules' ? 'r' : 'h'}.${field}`

export function findErrorSlots(cells: ReadonlyMap<string, CellMessages> | undefined): string[] {
  const slots: string[] = []
  for (const [field, cell] of cells ?? []) {
    if (hasError(cell.rules)) slots.push(formatSlotKey('rules', field))
    if (hasError(cell.hooks)) slots.push(formatSlotKey('hooks', field))
  }
  return slots
}
