/** Lines of a file that are not records: which ones are found, and that no record is. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineFinder } from '../../../lib/mapping/other-lines/classify.ts'
import { createLineCounter } from '../../../lib/mapping/other-lines/count.ts'
import { listRecordSamples, withoutTextsOfLines } from '../../../lib/mapping/other-lines/samples.ts'
import { suggestLeaveOut } from '../../../lib/mapping/other-lines/suggest.ts'
import { compileRules } from '../../../lib/mapping/rules/compile.ts'
import { validateRules } from '../../../lib/mapping/rules/validate.ts'
import type { LeaveOut } from '../../../schemas/programs/other-lines.ts'
import { Field } from '../../../schemas/sheets/fields.ts'
import { findLineNaively } from './naive-lines.ts'

type Cell = string | null
type Table = readonly (readonly Cell[])[]

const KEYS = ['Id', 'Customer', 'City', 'Date', 'Pieces', 'Amount', 'Note']
const FIELDS = KEYS.map((key) => Field.parse({ key, type: 'string' }))
const toColumns = (rows: Table) => new Map(KEYS.map((key, at) => [key, rows.map((row) => row[at] ?? null)]))
const suggest = (rows: Table): LeaveOut | undefined => suggestLeaveOut(FIELDS, toColumns(rows))
const findIn = (rows: Table, config: LeaveOut | undefined) => {
  const columns = toColumns(rows)
  return config ? [...createLineFinder(config)((key) => columns.get(key) ?? [], rows.length)] : []
}

const RECORDS: Table = Array.from({ length: 12 }, (_, at) => [
  `A-${100 + at}`,
  ['Total SA', 'Summe', 'Report GmbH'][at % 3]!,
  ['Transport', 'Razem', 'Média'][at % 3]!,
  `${10 + at}.03.2024`,
  String(3 + ((at * 7) % 5)),
  `${120 + at * 13},50 €`,
  at % 4 === 0 ? 'Page 3' : null,
])

describe('lines that are not records', () => {
  it.each([
    ['total', ['Total', null, null, null, '44', '1.234,50 €']],
    ['total', [null, '*** DEPT 0100 TOTAL', null, null, null, '1.234,50 €']],
    ['total', [null, null, null, 'Zwischensumme', null, '1.234,50 €']],
    ['total', ['Sous-total :', null, null, null, '12', null]],
    ['total', ['Totale secco', null, null, null, null, '918.41']],
    ['total', ['TOTAL', '44 siniestros', null, null, null, '412.019,21']],
    ['total', ['Totale iscritti', '20', null, null, null, '275,00 €']],
    ['total', [null, null, null, 'Razem miesięcznie:', null, '104200.5']],
    ['total', ['Ogółem', null, null, null, null, '104200.5']],
    ['total', ['Totaal', null, null, null, null, '104200.5']],
    ['total', ['Média da turma', null, null, null, '11.9', null]],
    ['total', ['--', 'Gesamt: Konto', '--', '--', '44', '1.234,50']],
    ['total', ['   ', 'Suma', '   ', '   ', '44', '1.234,50']],
    ['total', ['Totale iscritti', '350', null, null, null, null]],
    ['total', [null, 'Number of records', '310', null, null, null]],
    ['total', [null, 'TOTAL', null, null, null, 'à vérifier']],
    ['total', [null, null, null, '310 candidaturas', null, null]],
    ['total', [null, null, null, '310 candidaturas', '44', '1.234,50 €']],
    ['total', [null, 'SURPLUS / (DEFICIT)', null, null, '44', '1.234,50 €']],
    ['total', ['Anzahl Zähler: 41', null, null, null, null, null]],
    ['total', [null, null, null, null, '44', '1.234,50 €']],
    ['total', [null, 'Effectif : 17', null, null, 'MASSE', '1.234,50 €']],
    ['total', ['Attending (adults):', null, null, null, '21', null]],
    ['carry-over', ['Übertrag', null, null, null, null, '1.234,50 €']],
    ['carry-over', [null, null, 'À reporter', null, '3', '1.234,50 €']],
    ['carry-over', [null, null, null, 'do przen.', null, '1 253,50 zł']],
    ['carry-over', ['Suma y sigue', null, null, null, null, '1.234,50 €']],
    ['carry-over', ['Riporto', null, null, null, null, '1.234,50 €']],
    ['carry-over', ['Z przeniesienia', null, null, null, null, '1.234,50 zł']],
    ['carry-over', ['Endsaldo', null, null, null, 'EUR', '1.234,50']],
    ['page', ['TOOL & DIE CO.', null, null, 'REGISTER', null, 'PAGE 2']],
    ['page', ['Seite 2 von 7', null, null, null, null, null]],
    ['page', ['RUN 07/01/24', null, null, 'PERIOD JUNE', null, 'Pag. 3']],
    ['text', ['Beverages', null, null, null, null, null]],
    ['text', [null, null, null, null, null, null, '* geschätzt']],
    ['text', ['Erstellt: 22.01.2024 / Sachb. Petersen', null, null, null, null, null]],
  ] as const)('are a %s like %j', (kind, line) => {
    const rows = [...RECORDS.slice(0, 6), line, ...RECORDS.slice(6)]
    expect(findIn(rows, suggest(rows))).toEqual([[6, kind]])
  })

  it.each([
    ['a customer with the name of a total', ['A-200', 'Total SA', null, null, null, '12,50 €']],
    ['a customer alone with its key', ['A-200', 'Summe', null, null, null, null]],
    ['a key alone', ['A-200', null, null, null, null, null]],
    ['a key like the word for totals', ['SUM-1', null, null, null, '3', '12,50 €']],
    ['a record without a key', [null, 'Total SA', 'Report', '01.03.2024', '3', '12,50 €']],
    ['a city and a customer', [null, 'Total SA', 'Report', null, null, '12,50 €']],
  ] as const)('are not %s', (_, record) => {
    const rows = [...RECORDS.slice(0, 6), record, ...RECORDS.slice(6)]
    expect(findIn(rows, suggest(rows))).toEqual([])
  })

  it('are not looked for without enough columns that records fill', () => {
    expect(suggest(RECORDS.slice(0, 3))).toBeUndefined()
    expect(suggest(RECORDS.map(([id, name]) => [id!, name!]))).toBeUndefined()
    expect(suggestLeaveOut([Field.parse({ key: 'Id', type: 'number' })], new Map())).toBeUndefined()
  })

  it('are counted by kind, with their rows and the first examples', () => {
    const counter = createLineCounter()
    for (let row = 1; row <= 200; row++) counter.add('total', row, ['Total', null, ' 3 '])
    counter.add('page', 7, ['Page 2'])
    const [totals, pages, ...others] = counter.listGroups()
    expect(others).toEqual([])
    expect(totals).toMatchObject({ kind: 'total', count: 200, rows: Array.from({ length: 100 }, (_, at) => at + 1) })
    expect(totals!.examples).toEqual([1, 2, 3].map((row) => ({ row, cells: ['Total', '3'] })))
    expect(totals!.text).toBe('Lines left out as totals: 200 (rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …).')
    expect(pages!.text).toBe('Lines left out as page headings: 1 (rows 7).')
  })
})

describe('the samples of a table', () => {
  const rows = [...RECORDS, ['Total', null, null, null, '44', '1.234,50 €', '179']]
  const samples = toColumns(rows)

  it('are those of its records', () => {
    expect(listRecordSamples(FIELDS, samples)).toEqual(toColumns(RECORDS))
    expect(listRecordSamples(FIELDS, toColumns(RECORDS))).toEqual(toColumns(RECORDS))
  })
  it('say which texts only its other lines have', () => {
    const columns = new Map([
      ['Note', ['Page 3', '179']],
      ['Pieces', ['3', '44']],
      ['Customer', ['Summe', null]],
    ])
    const recordSamples = listRecordSamples(FIELDS, samples)
    expect(withoutTextsOfLines(columns, samples, recordSamples)).toEqual(
      new Map([
        ['Note', ['Page 3']],
        ['Pieces', ['3']],
        ['Customer', ['Summe']],
      ]),
    )
  })
  it('say nothing of longer columns', () => {
    const long = toColumns([...rows, ...Array.from({ length: 1000 }, () => RECORDS[0]!)])
    const columns = new Map([['Note', ['Page 3', '179']]])
    expect(withoutTextsOfLines(columns, long, listRecordSamples(FIELDS, long))).toEqual(columns)
  })
})

const words = fc.constantFrom('Total', 'Total SA', 'Summe', 'Report', 'Transport', 'Razem', 'Page 2', 'Ada', 'Übertrag')
const sometimes = <T extends Cell>(cell: fc.Arbitrary<T>) => fc.option(cell, { nil: null, freq: 12 })
const record = fc.tuple(
  sometimes(words),
  sometimes(words),
  sometimes(fc.nat(27).map((day) => `${day + 1}.03.2024`)),
  sometimes(fc.nat(50).map(String)),
  sometimes(fc.nat(99_999).map((cents) => `${(cents / 100).toFixed(2)} €`)),
  fc.option(words, { nil: null, freq: 1 }),
)
const records = fc
  .array(record, { minLength: 8, maxLength: 40 })
  .map((rows): Table => rows.map((row, at) => [`K${1000 + at * 3}`, ...row]))
const cell = fc.option(fc.oneof(words, fc.constantFrom('12', '3,50 €', '--', '  ', 'K1003', '01.03.2024', 'Seite 3')), {
  nil: null,
  freq: 1,
})
const anyRow = fc.array(cell, { minLength: KEYS.length, maxLength: KEYS.length })

describe('any table', () => {
  it('has a total of amounts that look like codes', () => {
    const costs = [135, 180, 140, 185, 130, 190, 165, 120].map((cost) => String(cost))
    const rows = costs.map((cost, at) => [
      `Flat ${at}`,
      ['Kim', 'Lee'][at % 2]!,
      ['Ulm', 'Bonn'][at % 2]!,
      null,
      `${at % 3}`,
      cost,
    ])
    const table = [...rows, ['Summe', null, null, null, null, '1.245,00']]
    expect(findIn(table, suggest(table))).toEqual([[8, 'total']])
  })

  it('has a total below columns that few records fill', () => {
    const rows = Array.from({ length: 8 }, (_, at) => [
      ...[`T-${100 + at}`, ['Oak', 'Elm'][at % 2]!, ['Ulm', 'Bonn'][at % 2]!, `${10 + at}.03.2024`],
      ...(at === 3 ? ['Prune', '120,00'] : [null, null]),
    ])
    const table = [...rows, [null, null, null, null, 'Summe geschätzt', '120,00']]
    expect(findIn(table, suggest(table))).toEqual([[8, 'total']])
  })

  it('has a total that counts its lines, below codes and names with digits', () => {
    const rows = Array.from({ length: 8 }, (_, at) => [
      `00${41020 + at * 13}`,
      `Bolt M${at}`,
      ['Ulm', 'Bonn'][at % 2]!,
      null,
      String(at % 3),
      `${at},5`,
    ])
    const find = (line: readonly Cell[]) => findIn([...rows, line], suggest([...rows, line]))
    expect(find(['TOTAL LINES', '8', null, null, null, null])).toEqual([[8, 'total']])
    expect(find(['Summe Positionen', '8', null, null, null, null])).toEqual([[8, 'total']])
    expect(find(['Total', '8', null, null, null, null])).toEqual([])
    expect(find(['0041120', '8', null, null, null, null])).toEqual([])
  })

  it('keeps all records that have a key, whatever they are called', () => {
    fc.assert(
      fc.property(records, (rows) => {
        expect(findIn(rows, suggest(rows))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('has the same lines as a naive reader finds row by row', () => {
    const mixed = fc.tuple(records, fc.array(anyRow, { maxLength: 12 }))
    fc.assert(
      fc.property(mixed, ([rows, lines]) => {
        const config = suggest(rows)
        fc.pre(config !== undefined)
        const all = [...rows, ...lines]
        const expected = all.flatMap((row, at) => {
          const kind = findLineNaively(
            Object.fromEntries(KEYS.map((key, column) => [key, row[column] ?? null])),
            config,
          )
          return kind ? [[at, kind]] : []
        })
        expect(findIn(all, config)).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the rule leave-out', () => {
  const config = suggest(RECORDS)!
  const sides = { source: FIELDS, destination: [Field.parse({ key: 'name', type: 'string' })] }
  const assign = { type: 'assign', config: { sourceField: 'Customer', destinationField: 'name' } }

  it('reads its columns and finds the rows, unless it keeps them', () => {
    const rows = [...RECORDS, ['Total', null, null, null, null, '5,00 €']]
    const compile = (leaveOut: boolean) => {
      const { rules, problems } = validateRules([assign, { type: 'leave-out', config: { ...config, leaveOut } }], sides)
      expect(problems).toEqual([])
      return compileRules(rules, sides)
    }
    const program = compile(true)
    expect(new Set(program.reads)).toEqual(new Set(KEYS))
    expect([...program.findOtherLines!(toColumns(rows), rows.length)]).toEqual([[12, 'total']])
    expect(compile(false)).toMatchObject({ reads: ['Customer'], findOtherLines: undefined })
  })

  it('names unknown columns, and is not nested', () => {
    const unknown = { type: 'leave-out', config: { ...config, keyColumns: ['Nr'] } }
    const nested = { type: 'subprogram', config: { rules: [{ type: 'leave-out', config }] } }
    expect(validateRules([unknown, nested], sides).problems).toEqual([
      { key: 'rules.0.config.keyColumns.0', message: 'the source has no field Nr' },
      { key: 'rules.1.config.rules.0.type', message: 'can only be at the top level of a program' },
    ])
  })
})
