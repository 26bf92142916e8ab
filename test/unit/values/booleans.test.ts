import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatherColumn, readValue } from '../../../lib/values/read-column.ts'
import { readColumn, summarize } from './read-column.ts'

const boolean = { key: 'active', type: 'boolean' }
const read = (...texts: (string | null)[]) => summarize(readColumn(boolean, texts))

const PAIRS = [
  ...['true false', 'yes no', 'wahr falsch', 'ja nein', 'vrai faux', 'oui non', 'verdadero falso', 'sí no', 'sì no'],
  ...['vero falso', 'waar onwaar', 'ja nee', 'verdadeiro falso', 'sim não', 'prawda fałsz', 'tak nie', 'on off'],
  ...[
    'ein aus',
    'aktiv inaktiv',
    'enabled disabled',
    'activé désactivé',
    '1 0',
    'y n',
    'j n',
    'o n',
    't f',
    'x -',
    '✓ ✗',
  ],
].map((pair) => pair.split(' ') as [string, string])

describe('a column of booleans', () => {
  it.each(PAIRS)('has %s and %s in any case, with spaces around', (yes, no) => {
    expect(read(yes, no, ` ${yes.toUpperCase()} `, `${no}\u00a0`)).toEqual([true, false, true, false])
  })

  it('reads colloquial words and phrases that start with yes or no', () => {
    expect(read('nope', 'Yep!', 'neen', 'jawohl', 'nö')).toEqual([false, true, false, true, false])
    expect(read('Oui, avec plaisir', 'Non, désolé', 'oui')).toEqual([true, false, true])
    expect(read('No thanks', 'Oui, merci', 'yes please')).toEqual([false, true, true])
    expect(read('Yes (cash)', 'kyllä', 'ei', 'hayır', 'Nej')).toEqual([true, true, false, false, false])
    expect(read('No, 1', 'No, 2', 'No, 3')).toEqual(['(unreadable)', '(unreadable)', '(unreadable)'])
  })

  it('can mix spellings', () => {
    expect(read('Yes', 'nein', '1', '0', 'FALSE', 'j', 'n')).toEqual([true, false, true, false, false, true, false])
  })

  it('with only ticks is false where it is empty, unless the field has a third state', () => {
    expect(readColumn(boolean, ['x', null, 'X']).reading).toEqual({ type: 'boolean', ticks: true, emptyValue: false })
    expect(readColumn(boolean, ['x', 'X']).reading).toEqual({ type: 'boolean', ticks: true })
    expect(readColumn(boolean, ['ja', null, 'nein']).reading).toEqual({ type: 'boolean' })
    expect(readColumn({ ...boolean, config: { allowIndeterminate: true } }, ['x', null]).reading).toEqual({
      type: 'boolean',
      ticks: true,
    })
  })

  it('reads marks as yes next to a written no, where a dash is empty', () => {
    expect(read('Ja', 'nein', 'x', '✓', '+')).toEqual([true, false, true, true, true])
    expect(read('yes', 'no', '✓', '✗', '❌')).toEqual([true, false, true, false, false])
    expect(read('yes', 'no', '✓', '✗', 'x')).toEqual([true, false, '(unreadable)', '(unreadable)', '(unreadable)'])
    expect(readColumn(boolean, ['ja', 'nein', 'x', null]).reading).toEqual({ type: 'boolean', ticks: true })
    expect(read('ja', 'nein', 'x', '-')).toEqual([true, false, true, null])
    expect(read('ja', 'x')).toEqual([true, '(unreadable)'])
    expect(read('nein', 'x', '✗')).toEqual([false, '(unreadable)', '(unreadable)'])
  })

  it('reads the name of the column as yes, and its denial as no', () => {
    const readIn = (columnName: string, ...texts: string[]) => summarize(readColumn(boolean, texts, columnName))
    expect(readIn('¿Cumple?', 'Sí', 'cumple', 'No cumple', 'cumplido')).toEqual([true, true, false, '(unreadable)'])
    expect(readIn('bezahlt?', 'bez.', 'noch nicht', 'bezahlt', 'be.')).toEqual([true, false, true, '(unreadable)'])
    expect(readIn('Rec’d?', "rec'd", 'not yet')).toEqual([true, false])
    expect(readIn('Status', 'bezahlt')).toEqual(['(unreadable)'])
    expect(readIn('Complet', 'complet', 'incomplet', 'O', 'oui')).toEqual([true, false, true, true])
    expect(readIn('Activo', 'Alta', 'baja')).toEqual([true, false])
    expect(readIn('Urgencia', 'Alta', 'baja')).toEqual(['(unreadable)', '(unreadable)'])
    expect(readIn('Form', 'inform', 'unform')).toEqual(['(unreadable)', '(unreadable)'])
  })
  it('reads marks of a test by a name that says passed', () => {
    const passed = { key: 'passed', label: 'Test passed', type: 'boolean' }
    const texts = ['Pass', 'FAIL', 'P', 'retest']
    expect(summarize(readColumn(passed, texts, 'Result'))).toEqual([true, false, true, '(unreadable)'])
    expect(new Set(summarize(readColumn(boolean, texts, 'Result')))).toEqual(new Set(['(unreadable)']))
  })
  it('reads what the name says was done as yes, unless it says more', () => {
    const readIn = (columnName: string, ...texts: string[]) => summarize(readColumn(boolean, texts, columnName))
    expect(readIn('FEES_PAID', 'PAID', 'no', 'not paid', 'unpaid')).toEqual([true, false, false, false])
    expect(readIn('Consent signed?', 'signed', 'Yes', 'unsigned', 'waived')).toEqual([
      true,
      true,
      false,
      '(unreadable)',
    ])
    expect(readIn('Rechnung bezahlt', 'bezahlt', 'nicht bezahlt', 'ja')).toEqual([true, false, true])
    expect(readIn('Certificat envoyé', 'envoyé', 'pas envoyé')).toEqual([true, false])
    expect(readIn('Factura pagada', 'pagada', 'no pagada')).toEqual([true, false])
    expect(readIn('Umowa podpisana', 'podpisana', 'nie podpisana')).toEqual([true, false])
    for (const name of ['Fees to be paid', 'Fees not paid', 'Approved or paid', 'Approved/paid', 'Non signed, paid'])
      expect(readIn(name, 'paid', 'yes')).toEqual(['(unreadable)', true])
    expect(readIn('Non smoker', 'smoker')).toEqual(['(unreadable)'])
    expect(readIn('Direct debit mandate', 'liegt vor', 'not on file', 'on file')).toEqual([true, false, true])
  })

  it('reads words for open as not paid, in a column that says paid', () => {
    const readIn = (columnName: string, ...texts: string[]) => summarize(readColumn(boolean, texts, columnName))
    expect(readIn('Réglé ?', 'Oui', 'Non', 'payé', 'en attente')).toEqual([true, false, true, false])
    expect(readIn('Réglé ?', 'payé en partie', 'Non')).toEqual(['(unreadable)', false])
    expect(readIn('Beleg', 'ja', 'fehlt')).toEqual([true, false])
    expect(readIn('Fehlt entschuldigt', 'ja', 'fehlt')).toEqual([true, '(unreadable)'])
    expect(readIn('Consent', 'I agree', "J'autorise", 'Ich stimme zu', 'no')).toEqual([true, true, true, false])
    expect(readIn('Quota pagata', 'sì', 'da pagare', 'pagherà')).toEqual([true, false, '(unreadable)'])
    expect(readIn('Bezahlt', 'ja', 'offen')).toEqual([true, false])
    expect(readIn('Geliefert', 'ja', 'offen')).toEqual([true, '(unreadable)'])
  })

  it.each<[string, string[], unknown[]]>([
    ['alone', ['✓', 'x', '✓'], [true, '(unreadable)', true]],
    ['with other marks', ['✓', 'X', '✗'], [true, '(unreadable)', false]],
  ])('asks whether a cross next to a check mark means no, %s', (_name, texts, values) => {
    const column = readColumn(boolean, texts)
    expect(summarize(column)).toEqual(values)
    const { alternatives, ...question } = column.question!
    expect(question).toEqual({ about: 'boolean-letters', examples: ['x'] })
    expect(alternatives.map((reading) => readValue(reading, 'X'))).toEqual([{ value: true }, { value: false }])
    expect(alternatives.map((reading) => readValue(reading, '✓'))).toEqual([{ value: true }, { value: true }])
  })

  it('reads a cross next to a written yes as yes where most cells are empty, which are no', () => {
    const decide = (texts: readonly (string | null)[]) => {
      const evidence = gatherColumn(boolean, { isMostlyEmpty: true })!
      for (const text of texts) evidence.add(text)
      return evidence.decide(2026).reading
    }
    expect(decide(['x', 'ja', null])).toEqual({ type: 'boolean', ticks: true, emptyValue: false })
    expect(decide(['x', 'nein', null])).toEqual({ type: 'boolean', ticks: true })
    expect(decide(['x', 'maybe', null])).toEqual({ type: 'boolean' })
    expect(decide(['x', '1', null])).toEqual({ type: 'boolean', digits: true })
  })

  it('reads a cross next to a check mark as yes where most cells are empty', () => {
    const evidence = gatherColumn(boolean, { isMostlyEmpty: true })!
    for (const text of ['✓', 'x', null]) evidence.add(text)
    expect(evidence.decide(2026)).toEqual({ reading: { type: 'boolean', ticks: true, emptyValue: false } })
  })

  it.each<[string, string[]]>([
    ['letters of something else', ['m', 'f']],
    ['letters of two languages', ['y', 'f']],
    ['a letter with several meanings', ['o']],
    ['digits of something else', ['0', '1', '2']],
    ['ticks next to words', ['x', 'maybe']],
    ['only dashes', ['-']],
  ])('does not read %s', (_name, texts) => {
    expect(new Set(read(...texts))).toEqual(new Set(['(unreadable)']))
  })

  it('has letters that begin its own yes or no, whatever other marks it has', () => {
    expect(read('sì', 'No', 'X', 'S')).toEqual([true, false, true, true])
    expect(read('oui', 'x', 'Non', 'o')).toEqual([true, true, false, true])
    expect(read('si', 'no', 'p')).toEqual([true, false, '(unreadable)'])
  })

  it('repeats its cut name as a whole word', () => {
    const estimated = { key: 'estimated', label: 'gesch.', type: 'boolean' }
    expect(summarize(readColumn(estimated, ['geschätzt', 'ja', 'Schätzwert']))).toEqual([true, true, '(unreadable)'])
  })

  it('with letters of two languages is a question, and with other letters is not', () => {
    expect(readColumn(boolean, ['y', 'f']).question).toEqual({
      about: 'boolean-letters',
      examples: ['y', 'f'],
      alternatives: [{ type: 'boolean', letters: true }],
    })
    expect(readColumn(boolean, ['m', 'f']).question).toBeUndefined()
  })

  it('is read as the same values or not at all', () => {
    const rows = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(rows, fc.array(fc.constantFrom(...PAIRS), { minLength: 1, maxLength: 3 }), (values, pairs) => {
        const texts = values.map((value, index) => pairs[index % pairs.length]![value ? 0 : 1])
        for (const [index, result] of readColumn(boolean, texts).values.entries())
          if ('value' in result && texts[index] !== '-') expect(result.value).toBe(values[index])
      }),
    )
  })
})
