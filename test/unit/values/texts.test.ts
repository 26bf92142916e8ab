import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText } from '../../../lib/values/texts.ts'
import { readColumn, summarize } from './read-column.ts'

describe('a text', () => {
  it.each([
    ['\u00a0Ada\u00a0Lovelace ', 'Ada Lovelace'],
    ['\ufeffAda\u200b', 'Ada'],
    ['\u200dAda\u200c', 'Ada'],
    ['co\u00adoperate', 'cooperate'],
    ['Ada\u200d \u200d', 'Ada'],
    ['two\nlines\t', 'two\nlines'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩\u200d💻', '👩\u200d💻'],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['', ''],
  ])('%j is cleaned to %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean)
  })

  it('is clean after it was cleaned, and keeps all visible characters', () => {
    const visible = (text: string) => text.normalize('NFC').replace(/[\s\p{Cf}\u180e]/gu, '')
    const part = fc.oneof(fc.string(), fc.constantFrom('\u00a0', '\u200b', '\u200d', '\ufeff', '\u202f', ' '))
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        expect(cleanText(cleanText(text))).toBe(cleanText(text))
        expect(visible(cleanText(text))).toBe(visible(text))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a column of texts with HTML entities', () => {
  const note = { key: 'note', type: 'string' }
  it('is read as the characters meant', () => {
    expect(summarize(readColumn(note, ['Kerfbord &amp; hanger', 'caf&eacute;', '&#8364; 5', 'R&D', 'a&b;']))).toEqual([
      'Kerfbord & hanger',
      'café',
      '€ 5',
      'R&D',
      'a&b;',
    ])
  })
  it('stays as it is if the column has tags', () => {
    const texts = ['<p>Fish &amp; chips</p>', 'Tom &amp; Jerry']
    expect(summarize(readColumn(note, texts))).toEqual(texts)
  })
})

describe('a column of texts that are mostly email addresses', () => {
  const contact = { key: 'contact', type: 'string' }
  it('is read as the addresses, and its other texts stay', () => {
    const texts = [
      'Ada@Example.com',
      'bob@example.org',
      '<cy@example.net>',
      'mailto:di@example.net;',
      'no address',
      'ed@ example.com',
    ]
    const read = summarize(readColumn(contact, [...texts, 'fay@example.com', 'gus@example.com']))
    expect(read.slice(0, 6)).toEqual([
      'Ada@Example.com',
      'bob@example.org',
      'cy@example.net',
      'di@example.net',
      'no address',
      'ed@example.com',
    ])
  })
  it('is empty where a word says that one is missing or unknown', () => {
    const texts = ['ada@example.com', 'bob@example.org', 'cy@example.net', 'di@example.net', 'onbekend', 's/ e-mail']
    expect(summarize(readColumn(contact, texts)).slice(4)).toEqual([null, null])
    expect(summarize(readColumn(contact, ['Leiden', 'onbekend', 'no tiene']))).toEqual([
      'Leiden',
      'onbekend',
      'no tiene',
    ])
  })
  it('stays as it is if most of them have other words', () => {
    const texts = ['Ada <ada@example.com>', 'Bob <bob@example.org>', 'Cy <cy@example.net>', 'di@example.com']
    expect(summarize(readColumn(contact, texts))).toEqual(texts)
  })
})
