import { describe, expect, it } from 'vitest'
import { isUnreadText, listNotes, toStoredInput } from '../../../lib/records/fields/notes.ts'
import type { Message } from '../../../lib/records/sheet.ts'
import { noteOriginal, noteUnread, ReadCell } from '../../../lib/values/read-cell.ts'

const unread: Message = noteUnread('age', '1.234', 'Two readings').note
const original: Message = noteOriginal('age', 1, '1,0').note
const hook: Message = { ...unread, source: 'custom-logic' }

describe('a text that was left unread', () => {
  it('is one that has a note about an error and was sent back unchanged', () => {
    expect(isUnreadText({ value: '1.234' }, [hook, unread], '"1.234"')).toBe(true)
  })
  it.each<[string, unknown, Message[], string]>([
    ['another text', '1.235', [unread], '"1.234"'],
    ['no text', 1.234, [unread], '1.234'],
    ['a note about its original', '1.234', [original], '"1.234"'],
    ['an error of a hook', '1.234', [hook], '"1.234"'],
    ['no message', '1.234', [], '"1.234"'],
  ])('is not one with %s', (_, value, hooks, before) => {
    expect(isUnreadText({ value }, hooks, before)).toBe(false)
  })
})

describe('the notes of a cell', () => {
  it('are those of the value read, or stay with the same value', () => {
    const cell = { value: new ReadCell(1, original as ReadCell['note']) }
    expect(listNotes(cell, [unread], true)).toEqual([original])
    expect(listNotes({ value: 1 }, [hook, unread], true)).toEqual([unread])
    expect(listNotes({ value: 1 }, [hook, unread], false)).toEqual([])
  })
  it('are stored with the value, apart from the messages of hooks', () => {
    expect(toStoredInput(1, [hook, original])).toEqual({ value: new ReadCell(1, original as never), messages: [hook] })
    expect(toStoredInput(1, [hook])).toEqual({ value: 1, messages: [hook] })
  })
})
