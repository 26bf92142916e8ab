import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { followRestores } from '../../../lib/jobs/mapping/keep-recipe.ts'
import { describeMerge, describeRule } from '../../../lib/mapping/recipes/describe.ts'
import { compileRules } from '../../../lib/mapping/rules/compile.ts'
import { validateRules } from '../../../lib/mapping/rules/validate.ts'
import { compileEdit } from '../../../lib/quality/edits.ts'
import { evaluateCell, readValues } from '../../../lib/records/index.ts'
import { getValue } from '../../../lib/values/read-cell.ts'
import { Edit, type ValueEdit } from '../../../schemas/quality/shape.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

const field = (type: string, more: object = {}) => Field.parse({ key: 'x', type, ...more })
const FIELDS = [
  field('string'),
  field('string', { constraints: [{ type: 'required' }] }),
  field('number'),
  field('date'),
  field('boolean'),
  field('enum', { config: { options: [{ value: 'red' }, { value: 'blue' }] } }),
  field('string-list'),
]
const values = fc.constantFrom<unknown>(
  ...[null, '', ' ', 'red', ' red ', 'Red', 'a;b', 'a, b', '["a","b"]', '1.234,50 €', '12,5', '7', 7, 0, -1.5],
  ...['31/12/2020', '01/02/2021', '2021-02-01', 'ja', 'yes', 'true', true, false, ['a', 'b'], ['a'], []],
)
const readings = fc.constantFrom<object>(
  { type: 'number', decimalMark: ',', units: ['€'] },
  { type: 'date', orders: { '/': 'dmy' } },
  { type: 'boolean', letters: true },
  { type: 'enum', emptyTexts: ['red'] },
  { type: 'string' },
)
const patterns = fc.constantFrom(undefined, '9,9', '9/9/9', 'a', 'a;a')
const edits: fc.Arbitrary<object> = fc.oneof(
  fc.record({ type: fc.constant('read'), reading: readings, pattern: patterns }),
  fc.record({ type: fc.constant('split'), separator: fc.constantFrom(';', ', '), pattern: patterns }),
  fc.record({
    type: fc.constant('replace'),
    replacements: fc.array(fc.record({ from: values, to: values }), { minLength: 1, maxLength: 4 }),
  }),
)

const isValidEdit = (sheet: { sheetId: string; fields: Field[] }, edit: object): boolean =>
  validateRules([{ type: 'edit', config: { sourceField: 'destination!x', destinationField: 'x', edit } }], {
    source: [],
    destination: sheet.fields,
  }).problems.length === 0

describe('a rule of the type `edit`', () => {
  it('leaves the same cell as the edit of the imported record', () => {
    let compared = 0
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), edits, fc.array(values, { minLength: 1 }), (only, edit, cells) => {
        const sheet = { sheetId: '', fields: [only] }
        fc.pre(isValidEdit(sheet, edit))
        const store = (value: unknown) => evaluateCell(sheet, 'x', value)!
        const change = compileEdit(sheet, Edit.parse({ ...edit, fieldKey: 'x' }))
        const edited = cells.map((cell) => {
          const landed = store(cell)
          const changed = change(landed.value)
          return changed === undefined ? landed : store(changed)
        })
        const column = { source: [field('string', { key: 'column' })], destination: [only] }
        const { rules } = validateRules(
          [
            { type: 'assign', config: { sourceField: 'column', destinationField: 'x' } },
            { type: 'edit', config: { sourceField: 'destination!x', destinationField: 'x', edit } },
          ],
          column,
        )
        const assigned = compileRules(rules.slice(0, 1), column).mapColumns(new Map([['column', cells]]), cells.length)
        const landsSame = readValues(assigned.get('x')!).map((cell, row) => [store(cell), store(cells[row])])
        fc.pre(landsSame.every(([one, other]) => JSON.stringify(one) === JSON.stringify(other)))
        const mapped = compileRules(rules, column).mapColumns(new Map([['column', cells]]), cells.length)
        expect(readValues(mapped.get('x')!).map((cell) => store(getValue(cell)))).toEqual(edited)
        compared++
      }),
      { numRuns: 2000, maxSkipsPerRun: 100 },
    )
    expect(compared).toBeGreaterThan(500)
  })

  it('is invalid for a field of another type', () => {
    const edit = { type: 'split', separator: ';' } satisfies ValueEdit
    const rule = { type: 'edit', config: { sourceField: 'destination!x', destinationField: 'x', edit } }
    expect(validateRules([rule], { source: [], destination: [field('number')] }).problems).toMatchObject([
      { key: 'rules.0.config.edit.type' },
    ])
  })
})

describe('the sentence of a step', () => {
  const target = { sourceField: 'destination!born', destinationField: 'born' }
  const rule = (type: string, config: object) => ({ name: 'Mine', type, config })
  it.each([
    [rule('assign', { sourceField: 'Ort', destinationField: 'city' }), 'Put “Ort” into “city”'],
    [
      rule('assign', {
        ...{ sourceField: 'Ort', destinationField: 'city' },
        values: [{ sourceValue: 'a', destinationValue: 'b' }],
      }),
      'Put “Ort” into “city”, with 1 value translated',
    ],
    [
      rule('read', { ...target, sourceField: 'Geb', reading: { type: 'date', orders: { '/': 'dmy', '-': 'dmy' } } }),
      'Read “Geb” as dates with the day before the month, into “born”',
    ],
    [
      rule('read', { ...target, reading: { type: 'date', orders: { '/': 'dmy', '-': 'mdy' } } }),
      'Read “born” as dates',
    ],
    [
      rule('edit', { ...target, edit: { type: 'split', separator: ';', pattern: 'a;a' } }),
      'Split “born” at “;”, only for texts like “a;a”',
    ],
    [
      rule('edit', {
        ...target,
        edit: { type: 'replace', replacements: [1, 2, 3].map((from) => ({ from, to: null })) },
      }),
      'In “born”, replace “1” by “”, and 2 more values',
    ],
    [
      rule('constant', { destinationField: 'born', value: 1, filter: 'Ort eq Wien' }),
      'Apply the rule “Mine” to “born”, only for rows with Ort eq Wien',
    ],
    [rule('unheard', {}), 'Apply the rule “Mine” to “-”'],
  ])('for %j is "%s"', (step, text) => {
    expect(describeRule(step)).toBe(text)
  })
  it('names the distance of near duplicates', () => {
    expect(describeMerge({ fields: ['a', 'b'], method: 'distance', radius: 1 })).toBe(
      'Merge records whose a, b differ by at most 1 letter',
    )
  })
})

describe('the commits after an import', () => {
  const IMPORT = 4
  const follow = (...commits: (readonly [seq: number, restored?: number])[]) =>
    followRestores(
      commits.map(([seq, restored]) => ({ seq, restored, op: '', addsOnly: false, event: undefined })),
      IMPORT,
    )?.map(({ seq }) => seq)
  it('are all included without a restored version', () => {
    expect(follow([5], [7])).toEqual([5, 7])
  })
  it('are included up to the restored version', () => {
    expect(follow([5], [7], [8, 6], [9])).toEqual([5, 9])
    expect(follow([6], [8, 5])).toEqual([])
  })
  it('are undefined if the import is not in the restored version', () => {
    expect(follow([5], [6, IMPORT])).toBeUndefined()
  })
  it('are included again if a version with them is restored', () => {
    expect(follow([5], [6, IMPORT], [7, 6])).toEqual([5])
  })
})
