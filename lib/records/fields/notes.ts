/** Notes of the platform on how a value was read. They are stored with the hooks' messages, and refer to the value. */
import { NOTE_SOURCE, type Note, ReadCell } from '../../values/read-cell.ts'
import type { CellInput, Message } from '../sheet.ts'

export const isNote = (message: Message): message is Note => message.source === NOTE_SOURCE

export function toStoredInput(
  value: unknown,
  hooks: readonly Message[],
): { value: unknown; messages: readonly Message[] } {
  const note = hooks.find(isNote)
  const messages = hooks.filter((message) => !isNote(message))
  return { value: note ? new ReadCell(value, note) : value, messages }
}

/** A text that was left unread, such as an ambiguous `1.234`, stays unread when a client sends it back. */
export const isUnreadText = ({ value }: CellInput, hooks: readonly Message[], before: string): boolean =>
  typeof value === 'string' &&
  hooks.some((message) => isNote(message) && message.type === 'error') &&
  JSON.stringify(value) === before

export const isAnnotated = ({ value }: CellInput): boolean => value instanceof ReadCell

export function listNotes({ value }: CellInput, hooks: readonly Message[], isSameValue: boolean): readonly Message[] {
  if (value instanceof ReadCell) return [value.note]
  return isSameValue ? hooks.filter(isNote) : []
}
