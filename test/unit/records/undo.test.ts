/** The counts of an undo, its refusals, and the changes of others that stay. */
import { describe, expect, it } from 'vitest'
import type { SheetRef, UndoResult } from '../../../lib/records/index.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext, newSheetId } from '../../support/records.ts'

const { engine, insert } = await startRecordSuite()

const createSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'code', type: 'number' },
    { key: 'name', type: 'string' },
  ],
})
const createRows = (codes: readonly number[], name = 'before') =>
  codes.map((code) => ({ values: { code: { value: code }, name: { value: name } } }))
const count = (length: number): number[] => Array.from({ length }, (_, i) => i)
const by = (actor: string) => createWriteContext(`us_usr_${actor}`)

/** A sheet whose last commit changed the first two of four records, deleted none, and added none. */
async function createUpdated() {
  const sheet = createSheet()
  const { ids } = await insert(sheet, createRows(count(4)))
  const all = [...ids]
  const context = by('ada')
  const values = { name: { value: 'changed' } }
  const { commitId } = await engine.update(
    sheet,
    all.slice(0, 2).map((id) => ({ id, values })),
    context,
  )
  const undo = (isIgnored?: (op: string) => boolean) =>
    engine.undoCommit(sheet, { commitId: commitId!, isOperation: (op) => op === context.op, isIgnored }, by('undo'))
  return { sheet, ids: all, commitId: commitId!, op: context.op, undo }
}

const MANY = 100_001

/** A sheet whose last commit changed more records than a single undo may compare. */
async function updateManyRecords() {
  const sheet = createSheet()
  const codes = count(MANY)
  async function* readBatches(name: string) {
    const names = codes.map(() => name)
    yield {
      length: codes.length,
      columns: new Map<string, readonly unknown[]>([
        ['code', codes],
        ['name', names],
      ]),
    }
  }
  await engine.importRows(sheet, readBatches('before'), by('ada'))
  const options = { key: ['code'], fields: ['code', 'name'], addsNew: false }
  const { commitId } = await engine.importByKey(sheet, () => readBatches('after'), options, by('ada'))
  const undo = () => engine.undoCommit(sheet, { commitId: commitId!, isOperation: () => true }, by('undo'))
  return { sheet, undo }
}

const readNames = async (sheet: SheetRef) =>
  (await engine.readRecords(sheet, {}, engine.createStore())).records.map(({ values }) => values.name!.value)
const isDone = (undone: UndoResult | undefined) => undone !== undefined && 'result' in undone

describe('undoing a commit', () => {
  it('counts the records it takes back', async () => {
    const { sheet, ids, undo } = await createUpdated()
    expect(await undo()).toMatchObject({ records: { created: 0, updated: 2, deleted: 0 } })
    expect(await readNames(sheet)).toEqual(Array(4).fill('before'))
    const context = by('ada')
    const undoLast = ({ commitId }: { commitId?: string | undefined }) =>
      engine.undoCommit(sheet, { commitId: commitId!, isOperation: () => true }, by('undo'))
    const removed = await engine.remove(sheet, ids.slice(0, 3), context)
    expect(await undoLast(removed)).toMatchObject({ records: { created: 3, updated: 0, deleted: 0 } })
    const added = await engine.insert(sheet, createRows(count(5)), by('ada'))
    expect(await undoLast(added)).toMatchObject({ records: { created: 0, updated: 0, deleted: 5 } })
  })

  it('does nothing for an unknown commit, that of another sheet, or that of another operation', async () => {
    const { sheet, commitId } = await createUpdated()
    const other = await createUpdated()
    const undo = (id: string, isOperation = () => true) =>
      engine.undoCommit(sheet, { commitId: id, isOperation }, by('undo'))
    expect(await undo('us_vr_unknown')).toBeUndefined()
    expect(await undo(other.commitId)).toBeUndefined()
    expect(await undo(commitId, () => false)).toBeUndefined()
    expect(await readNames(sheet)).toEqual(['changed', 'changed', 'before', 'before'])
  })

  it('is refused with who changed or deleted which of its records since', async () => {
    const { sheet, ids, commitId, op, undo } = await createUpdated()
    const change = (id: string, actor: string, value: string) =>
      engine.update(sheet, [{ id, values: { name: { value } } }], by(actor))
    await change(ids[0]!, 'bob', 'later')
    await change(ids[0]!, 'bob', 'latest')
    await change(ids[2]!, 'bob', 'elsewhere')
    await change(ids[1]!, 'eve', 'later')
    await engine.remove(sheet, [ids[1]!], by('eve'))
    const later = [
      { actorId: 'us_usr_bob', updated: 1, deleted: 0, examples: [ids[0]] },
      { actorId: 'us_usr_eve', updated: 0, deleted: 1, examples: [ids[1]] },
    ]
    expect(await undo()).toEqual({ later, others: [] })
    const find = (commit: string) =>
      engine.findChangesAfter(sheet, { commitId: commit, isOperation: (found) => found === op })
    expect(await find(commitId)).toEqual(later)
    expect(await find('us_vr_unknown')).toEqual([])
    expect((await readNames(sheet))[0]).toBe('latest')
  })

  it('names at most three of the changed records', async () => {
    const sheet = createSheet()
    const { ids, commitId } = await engine.insert(sheet, createRows(count(5)), by('ada'))
    await engine.remove(sheet, [...ids], by('eve'))
    const undone = await engine.undoCommit(sheet, { commitId: commitId!, isOperation: () => true }, by('undo'))
    expect(undone).toMatchObject({ later: [{ deleted: 5, examples: [...ids].slice(0, 3) }] })
  })

  it('ignores operations that belong to it, and keeps what others did to other records', async () => {
    const { sheet, ids, undo } = await createUpdated()
    const followUp = by('ada')
    await engine.update(sheet, [{ id: ids[0]!, values: { name: { value: 'merged' } } }], followUp)
    expect(isDone(await undo())).toBe(false)
    expect(isDone(await undo((op) => op === followUp.op))).toBe(true)
    expect(await readNames(sheet)).toEqual(Array(4).fill('before'))
    const second = await createUpdated()
    const value = { name: { value: 'kept' } }
    await engine.update(second.sheet, [{ id: second.ids[3]!, values: value }], by('bob'))
    expect(isDone(await second.undo())).toBe(true)
    expect(await readNames(second.sheet)).toEqual(['before', 'before', 'before', 'kept'])
  })

  it.each([
    ['of its records and of others', [0, 3]],
    ['of others', [3]],
    ['of others added in another commit', [0, 4]],
  ])('keeps messages written since to records %s', async (_, at) => {
    const sheet = createSheet()
    const first = await insert(sheet, createRows(count(4)))
    const second = await insert(sheet, createRows([4]))
    const ids = [...first.ids, ...second.ids]
    const changed = ids.slice(0, 2).map((id) => ({ id, values: { name: { value: 'changed' } } }))
    const { commitId } = await engine.update(sheet, changed, by('ada'))
    const note = { type: 'info' as const, message: 'Seen' }
    const noted = at.map((index) => ({ id: ids[index]!, values: { name: { messages: [note] } } }))
    await engine.update(sheet, noted, by('hook'))
    const undone = await engine.undoCommit(sheet, { commitId: commitId!, isOperation: () => true }, by('undo'))
    expect(isDone(undone)).toBe(true)
    const { records } = await engine.readRecords(sheet, {}, engine.createStore())
    expect(records.map(({ values }) => values.name!.value)).toEqual(Array(5).fill('before'))
    expect(records[at.at(-1)!]!.values.name!.messages).toMatchObject([note])
  })

  it('is refused above the published number of changed records once others wrote to the sheet', async () => {
    const { sheet, undo } = await updateManyRecords()
    await engine.insert(sheet, createRows([-1]), by('bob'))
    expect(await undo()).toEqual({ later: [], others: ['us_usr_bob'] })
  })

  it('takes back any number of changes if only messages were written to its records since', async () => {
    const { sheet, undo } = await updateManyRecords()
    const { records } = await engine.readRecords(sheet, { pageSize: 2 })
    const note = { name: { messages: [{ type: 'info' as const, message: 'Seen' }] } }
    await engine.update(
      sheet,
      records.map(({ id }) => ({ id, values: note })),
      by('hook'),
    )
    expect(await undo()).toMatchObject({ records: { updated: MANY } })
  })
})
