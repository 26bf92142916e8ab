/**
 * Encodes the messages of a segment as one chunk. Each cell has two slots, each replaced as a whole: "rules" for
 * constraint messages and "hooks" for messages from hooks. Uniqueness messages are not stored; they follow from the
 * flags.
 */

import { memoize } from '../../core/memo.ts'
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

/** Stored form: messages, fields, then flat `[row, field * 2 + slot, message, ...]`. */
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

export const createMessageWriter = (): MessageWriter => ({
  messages: createDictionary(),
  fields: createDictionary(),
  triples: [],
})

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

export function encodeMessages(writer: MessageWriter): Buffer {
  if (!writer.triples.length) return Buffer.alloc(0)
  const chunk: MessageChunk = { d: writer.messages.entries, c: writer.fields.entries, t: writer.triples }
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
  const { d, c, t } = JSON.parse(raw.toString('utf8')) as MessageChunk
  for (let i = 0; i < t.length; i += 3) {
    const row = t[i]!
    const slot = t[i + 1]!
    const field = c[slot >> 1]!
    const cells = getOrInsert(rows, row, () => new Map<string, MutableCell>())
    const cell = getOrInsert(cells, field, (): MutableCell => ({}))
    const name: Slot = slot & 1 ? 'hooks' : 'rules'
    cell[name] ??= []
    cell[name].push(d[t[i + 2]!]!)
  }
  return rows
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
