import { describe, expect, it } from 'vitest'
import { readColumn, summarize } from './read-column.ts'

const EMPTY = [
  'n/a',
  'N.A.',
  'k. A.',
  'NULL',
  '-',
  '—',
  '?',
  'n.v.t.',
  's/d',
  'brak',
  'keine Angabe',
  'non renseigné',
  'n/i',
  's/n',
]

describe('a text for a missing value', () => {
  it.each(EMPTY)('%s is empty in columns of numbers, dates and options', (text) => {
    expect(summarize(readColumn({ type: 'number' }, [text, '1,5']))).toEqual([null, 1.5])
    expect(summarize(readColumn({ type: 'date' }, [text, '31.12.2020']))).toEqual([null, '2020-12-31'])
    const config = { options: [{ value: 'DE' }] }
    expect(summarize(readColumn({ type: 'enum', config }, [text, 'DE']))).toEqual([null, 'DE'])
  })

  it('can need its dots', () => {
    expect(summarize(readColumn({ type: 'number' }, ['s.o.', 's.o', '1,5']))).toEqual([null, null, 1.5])
    const config = { options: [{ value: 'so', label: 'Sonntag' }] }
    expect(readColumn({ type: 'enum', config }, ['So', 'S.O.']).reading).toEqual({ type: 'enum', emptyTexts: ['S.O.'] })
  })

  it('is listed in the reading', () => {
    const { reading } = readColumn({ type: 'number' }, ['n/a', ' k. A. ', 'n/a', '5'])
    expect(reading).toEqual({ type: 'number', emptyTexts: ['n/a', 'k. A.'] })
  })

  it('is an option if the field has it', () => {
    const config = { options: [{ value: 'none' }, { value: 'x', label: 'N/A' }] }
    expect(readColumn({ type: 'enum', config }, ['none', 'n/a', 'null']).reading).toEqual({
      type: 'enum',
      emptyTexts: ['null'],
    })
  })

  it('is empty in a text field that has other texts and is not required', () => {
    expect(summarize(readColumn({ type: 'string' }, ['n/a', '-', 'NULL', 'k. A.', 'Berlin']))).toEqual([
      ...[null, null, null, null],
      'Berlin',
    ])
    expect(summarize(readColumn({ type: 'string' }, ['n/a', '-']))).toEqual(['n/a', '-'])
    const constraints = [{ type: 'required' }]
    expect(summarize(readColumn({ type: 'string', constraints }, ['-', 'Berlin']))).toEqual(['-', 'Berlin'])
  })

  it.each(['NA', 'none', 'Null', 'keine', 'nil', '?', 'x'])('stays in a text field if it can be a text: %s', (text) => {
    expect(summarize(readColumn({ type: 'string' }, [text, 'Berlin']))).toEqual([text, 'Berlin'])
  })

  it('stays if it is a dash among other symbols', () => {
    expect(summarize(readColumn({ type: 'string' }, ['-', '+', 'o.B.']))).toEqual(['-', '+', 'o.B.'])
  })

  it.each(['00.00.0000', '0000-00-00', '0000-00-00 00:00:00', '00000000', '00/00/00'])('can be the date %s', (text) => {
    expect(summarize(readColumn({ type: 'date' }, [text, '31.12.2020']))).toEqual([null, '2020-12-31'])
  })

  it('is not a dash next to ticks, which means false', () => {
    expect(summarize(readColumn({ type: 'boolean' }, ['x', '-']))).toEqual([true, false])
    expect(summarize(readColumn({ type: 'boolean' }, ['ja', 'nein', '-', 'k.A.']))).toEqual([true, false, null, null])
  })

  it.each(['0', 'no', 'x', 'nein'])('is not %s', (text) => {
    expect(readColumn({ type: 'number' }, [text, '5']).reading).toEqual({ type: 'number' })
  })

  it('is empty between codes in a text field, and an option if one starts with the same word', () => {
    expect(summarize(readColumn({ type: 'string' }, ['0171 22', '0171 23', '0171 24', 'brak', '/']))).toEqual([
      ...['0171 22', '0171 23', '0171 24'],
      ...[null, null],
    ])
    const config = { options: [{ value: 'none', label: 'Sem escalão' }, { value: 'A' }] }
    expect(readColumn({ type: 'enum', config }, ['sem', 'nenhum', 'A']).reading).toEqual({ type: 'enum' })
  })

  it('can be unknown where the field has no options', () => {
    expect(summarize(readColumn({ type: 'date' }, ['onbekend', '31.12.2020']))).toEqual([null, '2020-12-31'])
    expect(readColumn({ type: 'enum', config: { options: [] } }, ['unknown']).reading).toEqual({ type: 'enum' })
  })

  it.each([
    'TBD',
    'tbc',
    'To be confirmed',
    'noch offen',
    'à définir',
    'por confirmar',
    'da def.',
    'n.t.b.',
    'Unassigned',
  ])('can be undecided: %s', (text) => {
    expect(summarize(readColumn({ type: 'number' }, ['1.5', text]))).toEqual([1.5, null])
    expect(readColumn({ type: 'enum', config: { options: [] } }, [text]).reading).toEqual({ type: 'enum' })
  })

  it('can be undecided among texts, unless they say a state', () => {
    expect(summarize(readColumn({ type: 'string', label: 'Owner' }, ['Ann', 'TBD', 'à définir']))).toEqual([
      'Ann',
      null,
      null,
    ])
    expect(summarize(readColumn({ type: 'string', label: 'Owner' }, ['sent', 'TBD'], 'Status'))).toEqual([
      'sent',
      'TBD',
    ])
  })

  it.each(['unbefristet', 'open-ended', 'not yet', 'senza scadenza', 'czas nieokreślony', 'offen', 's/f'])(
    'can be the end of what does not end: %s',
    (text) => {
      expect(summarize(readColumn({ type: 'date' }, ['31.12.2020', text]))).toEqual(['2020-12-31', null])
      expect(summarize(readColumn({ type: 'number' }, ['1.5', text]))[1]).not.toBeNull()
    },
  )
})
