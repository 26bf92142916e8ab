/** Imports rows by key as one commit: a row with the key of a record changes it, others are added or skipped. */
import { message } from '../../../schemas/messages/index.ts'
import { conflict, unprocessable } from '../../core/errors.ts'
import { createNullColumn, type JsonColumn, selectRows, toJsonColumn } from '../columns/json-column.ts'
import { loadValidatedState } from '../constraints/validated-state.ts'
import { type FieldRules, rulesOf, type SheetRules } from '../fields/rules.ts'
import { MESSAGES } from '../format/column-names.ts'
import { processStore, type Store } from '../log/store.ts'
import { readJsonColumn } from '../segments/json-columns.ts'
import { type OpenSegment, openAll } from '../segments/open.ts'
import type { SheetRef, WriteContext } from '../sheet.ts'
import { countLiveRows, countRows, getNewestCommitId, listLiveRows, type Segment, type State } from '../state/state.ts'
import type { ColumnBatch } from './build-segments.ts'
import { listChangedRows } from './compare-columns.ts'
import { assertSameKeys, chooseChanges, compareMatched, findComparedChanges } from './compare-matched.ts'
import { listTouchedColumns } from './compare-rows.ts'
import {
  type ChangeCache,
  type CompareOptions,
  compareSegments,
  type SegmentChange,
  type SegmentChanges,
  type UpdateComparison,
} from './compare-segments.ts'
import { createIngest } from './ingest.ts'
import { createKeyMatcher, createKeyReader, EMPTY_KEY, type KeyMatcher, type RepeatedKeys } from './match-keys.ts'
import { createMatchedRows, type MatchedRows } from './matched-rows.ts'
import { createSegmentKeeper, renderFirstRecords, type WritePreview } from './preview.ts'
import { commitWrites, planAttempt, REWRITE_ATTEMPTS, startWrite } from './write.ts'
import { countAddedErrors, type RecordsWritten } from './write-result.ts'

export interface KeyedImport {
  key: readonly string[]
  fields: readonly string[]
  addsNew: boolean
  /** Runs after the rows are compared, before each attempt to commit. */
  beforeCommit?: () => Promise<void>
}

export interface UnwrittenRows {
  unchanged: number
  emptyKey: number
  noRecord: number
}

export type KeyedImportResult = RecordsWritten & UnwrittenRows

export type ReadBatches = () => AsyncIterable<ColumnBatch>

const MAX_ATTEMPTS = 5

/** Calls `readBatches` again if rows match other records by now. */
export async function importByKey(
  sheet: SheetRef,
  readBatches: ReadBatches,
  options: KeyedImport,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<KeyedImportResult> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const start = await startWrite(store, sheet, ctx)
    if ('earlier' in start) return addUnwritten(start.earlier)
    const result = await tryImport(store, sheet, start.state, readBatches, options, ctx)
    if (result) return result
  }
  throw conflict(message('records.keysKeepChanging'))
}

class MatchesChangedError extends Error {}

async function tryImport(
  store: Store,
  sheet: SheetRef,
  state: State,
  readBatches: ReadBatches,
  options: KeyedImport,
  ctx: WriteContext,
): Promise<KeyedImportResult | undefined> {
  const ingestion = createIngest(store, rulesOf(sheet), store.sheetRows, countRows(state))
  const match = await matchRows(store, sheet, state, readBatches, options, (batch) => ingestion.add(batch))
  try {
    assertNoRepeatedKeys(match.matcher)
    const compare = createKeyedComparison(store, sheet, state, match, options)
    return addUnwritten(await commitWrites(store, sheet, state, ctx, { added: await ingestion.finish(), compare }))
  } catch (error) {
    if (error instanceof MatchesChangedError) return undefined
    throw error
  } finally {
    await match.matched.discard()
  }
}

const addUnwritten = (written: RecordsWritten): KeyedImportResult => {
  const [unchanged = 0, emptyKey = 0, noRecord = 0] = written.unwritten ?? []
  return { ...written, unchanged, emptyKey, noRecord }
}

export type KeyedPreview = WritePreview & UnwrittenRows

/** Computes what `importByKey` would write, without writing it. */
export async function previewByKey(
  sheet: SheetRef,
  readBatches: ReadBatches,
  options: KeyedImport,
  recordCount: number,
  store: Store = processStore,
): Promise<KeyedPreview> {
  const rules = rulesOf(sheet)
  const state = await loadValidatedState(store, sheet)
  const { firstSegments, keepSegment } = createSegmentKeeper(recordCount)
  const ingestion = createIngest(store, rules, store.sheetRows, countRows(state), keepSegment)
  const match = await matchRows(store, sheet, state, readBatches, options, (batch) => ingestion.add(batch))
  const { matcher, matched, emptyKey, noRecord } = match
  try {
    assertNoRepeatedKeys(matcher)
    const { updated, changes } = await compareForPreview(store, state, rules, options, matched)
    const added = await ingestion.finish()
    const compare = async (): Promise<UpdateComparison> => ({ changes, missing: [] })
    const attempt = await planAttempt(store, sheet, state, { added, compare }, REWRITE_ATTEMPTS)
    return {
      commitId: getNewestCommitId(state),
      created: added?.rows ?? 0,
      createdErrors: countAddedErrors(attempt.plan?.body),
      records: renderFirstRecords(rules, attempt, firstSegments, recordCount),
      ...{ updated, removed: 0, unchanged: matched.count - updated, emptyKey, noRecord },
    }
  } finally {
    await matched.discard()
  }
}

/** Counts all changes, and lists those on which errors of added rows can depend. */
async function compareForPreview(
  store: Store,
  state: State,
  rules: SheetRules,
  { fields: keys }: KeyedImport,
  matched: MatchedRows,
): Promise<{ updated: number; changes: SegmentChange[] }> {
  const fields = listKnownFields(rules, keys)
  let updated = 0
  const findChanges = async (open: OpenSegment): Promise<SegmentChanges> => {
    const rows = await matched.read(open.segment.key)
    const columns = compareMatched(open, rules, fields, rows)
    updated += listChangedRows(columns).length
    return findComparedChanges(open, rules, columns, rows, fields)
  }
  const names = listComparedColumns(rules, fields)
  const options: CompareOptions = { rewrite: false, keepChanges: 'none' }
  const segments = listMatchedSegments(state, matched)
  const changes = await compareSegments(store, rules, segments, names, findChanges, options, new Map())
  return { updated, changes }
}

function listComparedColumns(rules: SheetRules, fields: readonly FieldRules[]): string[] {
  const touched = { values: Object.fromEntries(fields.map((field) => [field.key, {}])) }
  return [...listTouchedColumns(rules, [touched]), MESSAGES]
}

interface Match {
  matcher: KeyMatcher
  matched: MatchedRows
  emptyKey: number
  noRecord: number
}

const listKnownFields = (rules: SheetRules, keys: readonly string[]): FieldRules[] =>
  keys.flatMap((key) => rules.byKey.get(key) ?? [])

async function matchRows(
  store: Store,
  sheet: SheetRef,
  state: State,
  readBatches: ReadBatches,
  { key, fields, addsNew }: KeyedImport,
  addBatch: (batch: ColumnBatch) => Promise<void>,
): Promise<Match> {
  const rules = rulesOf(sheet)
  const keyFields = listKnownFields(rules, key)
  const importedFields = listKnownFields(rules, fields)
  const matcher = await indexRecords(store, state, keyFields, addsNew)
  const matched = createMatchedRows(store, sheet.sheetId, importedFields.length)
  const match = { matcher, matched, emptyKey: 0, noRecord: 0 }
  for await (const batch of readBatches()) {
    const columns = new Map([...batch.columns].map(([name, column]) => [name, toJsonColumn(column)]))
    const findColumn = (field: FieldRules): JsonColumn => columns.get(field.key) ?? createNullColumn(batch.length)
    const keys = createKeyReader(keyFields, keyFields.map(findColumn))
    const imported = importedFields.map(findColumn)
    const newRows: number[] = []
    const run = { segment: -1, rows: [] as number[] }
    const addRun = (end: number): void => {
      if (run.rows.length > 0) matched.add(state.segments[run.segment]!.key, run.rows, imported, end - run.rows.length)
      run.rows = []
    }
    for (let row = 0; row < batch.length; row++) {
      const found = matcher.matchRow(keys, row)
      const position = found >= 0 ? matcher.getPosition(found) : undefined
      if (position?.segment !== run.segment) addRun(row)
      if (position) {
        run.segment = position.segment
        run.rows.push(position.row)
      } else {
        run.segment = -1
        if (found === EMPTY_KEY) match.emptyKey++
        else if (addsNew) newRows.push(row)
        else match.noRecord++
      }
    }
    addRun(batch.length)
    if (newRows.length) await addBatch(selectBatchRows(columns, newRows))
    await matched.limitMemory()
  }
  return match
}

async function indexRecords(
  store: Store,
  { segments, positions }: State,
  keyFields: readonly FieldRules[],
  addsNew: boolean,
): Promise<KeyMatcher> {
  const liveSegments = segments.filter((segment) => countLiveRows(segment) > 0)
  const expected = liveSegments.reduce((sum, segment) => sum + countLiveRows(segment), 0)
  const matcher = createKeyMatcher(addsNew, expected)
  const names = keyFields.map(({ column }) => column)
  for await (const open of openAll(store, liveSegments, names)) {
    const keys = createKeyReader(
      keyFields,
      keyFields.map((field) => readJsonColumn(open, field)),
    )
    const segment = positions.get(open.segment.key)!
    for (const row of listLiveRows(open.segment)) matcher.addRecord(keys, row, { segment, row })
  }
  return matcher
}

const selectBatchRows = (columns: ReadonlyMap<string, JsonColumn>, rows: readonly number[]): ColumnBatch => ({
  length: rows.length,
  columns: new Map([...columns].map(([key, column]) => [key, selectRows(column, rows)])),
})

const listMatchedSegments = ({ segments, positions }: State, { segmentKeys }: MatchedRows): Segment[] =>
  [...segmentKeys].map((key) => {
    const position = positions.get(key)
    if (position === undefined) throw new MatchesChangedError()
    return segments[position]!
  })

function assertNoRepeatedKeys({ repeated: { rows, records } }: KeyMatcher): void {
  const describe = ({ keys, examples }: RepeatedKeys) => ({ keys, examples: examples.join('; ') })
  const problems = [
    ...(rows.keys ? [message('records.keysRepeatedInRows', describe(rows))] : []),
    ...(records.keys ? [message('records.keysRepeatedInRecords', describe(records))] : []),
  ]
  if (problems.length) throw unprocessable(problems.join(' '))
}

function createKeyedComparison(
  store: Store,
  sheet: SheetRef,
  matchedState: State,
  { matcher, matched, emptyKey, noRecord }: Match,
  { key, fields, addsNew, beforeCommit }: KeyedImport,
) {
  const rules = rulesOf(sheet)
  const keyFields = listKnownFields(rules, key)
  const importedFields = listKnownFields(rules, fields)
  const names = listComparedColumns(rules, importedFields)
  const cache: ChangeCache = new Map()
  const options: CompareOptions = { rewrite: true, keepChanges: 'patches' }
  return async (state: State): Promise<UpdateComparison> => {
    if (state !== matchedState && !(await hasSameMatches(store, matchedState, state, matcher, keyFields, addsNew)))
      throw new MatchesChangedError()
    const segments = listMatchedSegments(state, matched)
    const findChanges = async (open: OpenSegment): Promise<SegmentChanges> => {
      const rows = await matched.read(open.segment.key)
      const columns = compareMatched(open, rules, importedFields, rows)
      assertSameKeys(open, keyFields, columns)
      return chooseChanges(store, rules, open, columns, rows, importedFields)
    }
    const changes = await compareSegments(store, rules, segments, names, findChanges, options, cache)
    await beforeCommit?.()
    const updated = changes.reduce((sum, change) => sum + change.rows.length, 0)
    return { changes, missing: [], exact: true, unwritten: [matched.count - updated, emptyKey, noRecord] }
  }
}

async function hasSameMatches(
  store: Store,
  before: State,
  after: State,
  matcher: KeyMatcher,
  keyFields: readonly FieldRules[],
  addsNew: boolean,
): Promise<boolean> {
  const newMatcher = await indexRecords(store, after, keyFields, addsNew)
  return matcher.hasSameMatches(
    newMatcher,
    (a, b) => a.row === b.row && before.segments[a.segment]!.key === after.segments[b.segment]!.key,
  )
}
