/** A value read from a text, with a note for its cell. It is stored as it is, without further conversion. */
import { message } from '../../schemas/messages/index.ts'

/** The only source of the public clients that is about the form of a value; they reject unknown ones. */
export const NOTE_SOURCE = 'is-artifact'

export interface Note {
  type: 'info' | 'error'
  source: typeof NOTE_SOURCE
  message: string
  field: string
  original?: string
}

export class ReadCell {
  readonly value: unknown
  readonly note: Note

  constructor(value: unknown, note: Note) {
    this.value = value
    this.note = note
  }

  toJSON(): unknown {
    return this.value
  }
}

export const getValue = (cell: unknown): unknown => (cell instanceof ReadCell ? cell.value : cell)

export const MAX_ORIGINAL_LENGTH = 1000

export function noteOriginal(field: string, value: unknown, text: string): ReadCell {
  const isLong = text.length > MAX_ORIGINAL_LENGTH
  return new ReadCell(value, buildOriginalNote(field, isLong ? `${text.slice(0, MAX_ORIGINAL_LENGTH)}…` : text))
}

export const buildOriginalNote = (field: string, original: string): Note => ({
  ...{ type: 'info', source: NOTE_SOURCE, message: message('values.original', { original }), field, original },
})

export const noteUnread = (field: string, text: string, problem: string): ReadCell =>
  new ReadCell(text, { type: 'error', source: NOTE_SOURCE, message: problem, field })

const LIST_MARKS = /[;|,\n]/

/** Whether a value says less than the text it was read from: more than spaces, or the zeros of a number, is gone. */
export function differsFromText(value: unknown, text: string): boolean {
  const trimmed = text.trim()
  if (trimmed === '') return false
  if (typeof value === 'number') return Number(trimmed) !== value
  if (!Array.isArray(value)) return String(value ?? '') !== trimmed
  const items = trimmed.split(LIST_MARKS).flatMap((item) => item.trim() || [])
  return items.length !== value.length || value.some((item, index) => String(item) !== items[index])
}
