/** Generates random histories of a sheet: schema changes, and every kind of write, fault and read in any order. */
import fc from 'fast-check'
import type { StoreOptions } from '../../../lib/records/log/store.ts'
import type { CellInputs, Field, RecordInput } from '../../../lib/records/sheet.ts'
import type { Parts } from './model-versions.ts'

const code: Field = { key: 'code', type: 'string', constraints: [{ type: 'unique' }] }
const name: Field = {
  key: 'name',
  type: 'string',
  constraints: [{ type: 'required' }, { type: 'unique', config: { caseSensitive: false, level: 'warn' } }],
}
const amount: Field = { key: 'amount', type: 'number' }
const kind: Field = { key: 'kind', type: 'enum', config: { options: [{ value: 'a' }, { value: 'b' }] } }
const tags: Field = { key: 'tags', type: 'string-list' }
const link: Field = { key: 'link', type: 'reference', config: { ref: 'others', key: 'id' } }

const SHEETS: readonly (readonly Field[])[] = [
  [code, name, amount, kind, link],
  [{ ...code, constraints: [] }, name, amount, kind, link],
  [code, { ...name, constraints: [{ type: 'required', config: { level: 'warn' } }] }, amount, link, tags],
  [
    name,
    code,
    { ...amount, constraints: [{ type: 'required' }, { type: 'unique' }] },
    { key: 'extra', type: 'string', constraints: [{ type: 'required' }] },
    { ...link, constraints: [{ type: 'unique' }] },
    tags,
  ],
]
export const getSheetFields = (index: number, isLinked: boolean): Field[] =>
  SHEETS[index]!.map((field) => (field.key === 'link' && !isLinked ? { ...field, type: 'string' } : field))
export const FIRST_SHEET = 0

/** Options that force each mechanism early, so that a small sheet behaves like a large one. */
export const OPTIONS: readonly Partial<StoreOptions>[] = [
  {},
  { segmentRows: 6, editedRows: 2, inlineSegmentBytes: 120 },
  { segmentRows: 4, inlineSegmentBytes: 0, inlineEntryBytes: 100, blobItemBytes: Number.POSITIVE_INFINITY },
  { segmentRows: 10, editedRows: 3, inlineSegmentBytes: 60, blobItemBytes: 0 },
  { segmentRows: 20, mergeSegments: 2, mergeRows: 12, mergeRuns: 2, compactEdits: 2, inlineSegmentBytes: 0 },
  { segmentRows: 7, mergeSegments: 3, mergeRows: 6, mergeRuns: 3, compactEdits: 3, editedRows: 4, inlineEntryBytes: 0 },
]

const row = fc.nat(1000)
const key = fc.constantFrom('code', 'name', 'amount', 'kind', 'link', 'extra')
const scalar = fc.oneof(
  fc.constantFrom<unknown>('x', 'X', 'y', 'ü "q"', '', null, 1, 7, '7', 'n/a', 'a', 'b', 'line\nbreak'),
  fc.nat(40).map((number) => `v${number}`),
)
const list = fc.oneof(fc.array(fc.constantFrom('a', 'x', 'v7', 7), { maxLength: 3 }), fc.constant('no list'))
const messages = fc.array(
  fc.record({ type: fc.constantFrom('error', 'warn', 'info'), message: fc.constantFrom('m1', 'm2') }),
  { maxLength: 2 },
)
const arbitraryCell = (value: fc.Arbitrary<unknown>) => fc.record({ value, messages }, { requiredKeys: [] })
const keyed = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(key, arbitraryCell(scalar)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('tags'), arbitraryCell(list)) },
)
const cells: fc.Arbitrary<CellInputs> = fc
  .uniqueArray(keyed, { selector: ([field]) => field, maxLength: 4 })
  .map((entries) => Object.fromEntries(entries))
const object = fc.constantFrom<{ [k: string]: unknown }>({}, { a: 1 }, { b: { c: ['ü'] } })
const input = fc.record({ values: cells, metadata: object, config: object }, { requiredKeys: ['values'] })
const inputs = (minLength: number, maxLength: number) => fc.array(input, { minLength, maxLength })
const rows = (minLength: number, maxLength: number) => fc.array(row, { minLength, maxLength })

export interface Edit {
  row: number
  values?: CellInputs
  metadata?: { [k: string]: unknown }
  config?: { [k: string]: unknown }
}
const edits = (minLength: number, maxLength: number): fc.Arbitrary<Edit[]> =>
  fc.array(fc.record({ row, values: cells, metadata: object, config: object }, { requiredKeys: ['row'] }), {
    minLength,
    maxLength,
  })

export type SelectionStep =
  | { by: 'all' }
  | { by: 'ids' | 'others'; rows: number[] }
  | { by: 'valid' | 'error'; field: string | undefined }
  | { by: 'search'; value: string; field: string | undefined }
  | { by: 'commit' | 'since'; commit: number }
const someField = fc.constantFrom(undefined, 'name', 'code', 'amount')
const chosen: fc.Arbitrary<SelectionStep> = fc.oneof(
  fc.record({ by: fc.constant('all' as const) }),
  fc.record({ by: fc.constantFrom('ids' as const, 'others' as const), rows: rows(1, 5) }),
  fc.record({ by: fc.constantFrom('valid' as const, 'error' as const), field: someField }),
  fc.record({
    by: fc.constant('search' as const),
    value: fc.constantFrom('x', '"x"', '""', 'V1', '7'),
    field: someField,
  }),
  fc.record({ by: fc.constantFrom('commit' as const, 'since' as const), commit: row }),
)
const parts: fc.Arbitrary<Parts> = fc.record({ created: fc.boolean(), updated: fc.boolean(), deleted: fc.boolean() })
const aPart: fc.Arbitrary<Parts> = fc.constantFrom({ created: true }, { updated: true }, { deleted: true })

export type WriteStep =
  | { do: 'insert' | 'import'; rows: RecordInput[] }
  | { do: 'copy'; rows: number[] }
  | { do: 'update'; edits: Edit[] }
  | { do: 'remove'; rows: number[] }
  | { do: 'removeBy'; chosen: SelectionStep }
  | { do: 'write'; truncate: boolean; rows: RecordInput[]; edits: Edit[]; deletes: number[] }
  | { do: 'bulk'; chosen: SelectionStep; cells: CellInputs }
  | { do: 'replace'; chosen: SelectionStep; field: string; find: unknown; replace: unknown }
  | { do: 'restore'; to: number; parts: Parts }

export interface Fault {
  mode: 'dies' | 'broken' | 'lost' | 'sent again' | 'throttled'
  at: number
}
export interface Race {
  do: 'race'
  edits: { row: number; key: string }[]
  bulk: number[]
  insert: RecordInput[]
  remove: number | undefined
  other: unknown
}
export interface Clash {
  do: 'clash'
  writes: WriteStep[]
}
export type Step =
  | (WriteStep & { fault?: Fault | undefined })
  | ((Race | Clash) & { fault?: Fault | undefined })
  | { do: 'other'; change: 'insert' | 'update' | 'remove'; at: number; value: unknown }
  | { do: 'sheet'; sheet: number }
  | { do: 'restart'; worker: number }
  | { do: 'many'; count: number }
  | { do: 'look' }

const constant = <T extends string>(what: T) => fc.constant(what)
const insert = fc.record({ do: constant('insert'), rows: inputs(1, 4) })
const importing = fc.record({ do: constant('import'), rows: inputs(0, 20) })
const remove = fc.record({ do: constant('remove'), rows: rows(1, 4) })
const removeBy = fc.record({ do: constant('removeBy'), chosen })
const write = fc.record({
  do: constant('write'),
  truncate: fc.nat(4).map((number) => number === 0),
  rows: inputs(0, 9),
  edits: edits(0, 4),
  deletes: rows(0, 3),
})
const restore = fc.record({ do: constant('restore'), to: row, parts })
const writing: fc.Arbitrary<WriteStep> = fc.oneof(
  { weight: 6, arbitrary: insert },
  { weight: 3, arbitrary: importing },
  { weight: 8, arbitrary: fc.record({ do: constant('update'), edits: edits(1, 5) }) },
  { weight: 3, arbitrary: fc.record({ do: constant('copy'), rows: rows(1, 9) }) },
  { weight: 3, arbitrary: remove },
  { weight: 2, arbitrary: removeBy },
  { weight: 3, arbitrary: write },
  { weight: 2, arbitrary: fc.record({ do: constant('bulk'), chosen, cells }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: constant('replace'),
      chosen,
      field: fc.oneof(key, fc.constant('tags')),
      find: fc.constantFrom<unknown>('x', 'V', '"x"', '""', null, 7, 'a', '7'),
      replace: fc.constantFrom<unknown>('y', '', null, 1, 'xx'),
    }),
  },
  { weight: 4, arbitrary: restore },
)
const clashing: fc.Arbitrary<WriteStep> = fc.oneof(
  insert,
  importing,
  remove,
  removeBy,
  fc.record({ do: constant('restore'), to: row, parts: aPart }),
  write.map((one) => ({ ...one, edits: [] })),
)
const race: fc.Arbitrary<Race> = fc.record({
  do: constant('race'),
  edits: fc.array(fc.record({ row, key }), { minLength: 1, maxLength: 4 }),
  bulk: rows(0, 8),
  insert: inputs(1, 2),
  remove: fc.option(row, { nil: undefined }),
  other: fc.option(scalar, { nil: undefined }),
})
const clash: fc.Arbitrary<Clash> = fc.record({
  do: constant('clash'),
  writes: fc.array(clashing, { minLength: 2, maxLength: 4 }),
})
const fault: fc.Arbitrary<Fault> = fc.record({
  mode: fc.constantFrom('dies' as const, 'broken', 'lost', 'sent again', 'throttled'),
  at: fc.integer({ min: 1, max: 7 }),
})
const withFaults = <T extends object>(of: fc.Arbitrary<T>) =>
  fc
    .tuple(of, fc.option(fault, { freq: 3, nil: undefined }))
    .map(([one, trouble]) => (trouble ? { ...one, fault: trouble } : one))

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: withFaults(writing) },
  { weight: 2, arbitrary: withFaults(race) },
  { weight: 2, arbitrary: withFaults(clash) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: constant('other'),
      change: fc.constantFrom('insert' as const, 'update', 'remove'),
      at: row,
      value: scalar,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: constant('sheet'), sheet: fc.nat(SHEETS.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: constant('restart'), worker: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ do: constant('look') }) },
)
const many: fc.Arbitrary<Step> = fc.record({ do: constant('many'), count: fc.integer({ min: 20, max: 140 }) })
const arbitrarySteps = (minLength: number, maxLength: number) => fc.array(step, { minLength, maxLength })

export interface History {
  options: Partial<StoreOptions>
  isLinked: boolean
  steps: Step[]
}

export const history: fc.Arbitrary<History> = fc.record({
  options: fc.constantFrom(...OPTIONS),
  isLinked: fc.boolean(),
  steps: fc.oneof(
    { weight: 16, arbitrary: arbitrarySteps(1, 8) },
    { weight: 6, arbitrary: arbitrarySteps(8, 16) },
    { weight: 1, arbitrary: arbitrarySteps(30, 50) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(arbitrarySteps(1, 4), many, arbitrarySteps(2, 8))
        .map(([before, one, after]) => [...before, one, ...after]),
    },
  ),
})
