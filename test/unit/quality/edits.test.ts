import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WireRecord } from '../../../lib/records/sheet.ts'
import type { Edit } from '../../../schemas/quality/shape.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext } from '../../support/records.ts'
import { createTable } from './create-table.ts'
import { table } from './tables.ts'

const suite = await startRecordSuite()
const { engine, update } = suite
const { requireVersion } = await import('../../../lib/commits/write.ts')
const { compileEdit, previewEdit } = await import('../../../lib/quality/edits.ts')

const edits = fc.constantFrom<Edit>(
  { type: 'read', fieldKey: 'amount', reading: { type: 'number', decimalMark: ',', units: ['€'] } },
  { type: 'read', fieldKey: 'amount', pattern: '9,9', reading: { type: 'number', decimalMark: ',' } },
  { type: 'read', fieldKey: 'born', reading: { type: 'date', orders: { '.': 'dmy' } } },
  { type: 'read', fieldKey: 'name', reading: { type: 'string' } },
  { type: 'split', fieldKey: 'tags', separator: ';' },
  {
    type: 'replace',
    fieldKey: 'name',
    replacements: [
      { from: 'ADA', to: 'Ada' },
      { from: null, to: 'Nobody' },
      { from: 'Robert', to: null },
    ],
  },
  { type: 'replace', fieldKey: 'code', replacements: [{ from: 'a', to: 'b' }] },
)
const firstPage = { pageSize: 1000, pageNumber: 1 }
const toValues = (records: readonly WireRecord[]) =>
  records.map(({ id, values }) => [id, Object.entries(values).map(([key, { value }]) => [key, value])])

describe('an edit', () => {
  it('changes exactly what its preview shows, also for a selection', async () => {
    const selections = fc.constantFrom<object>({}, { filter: 'error' }, { q: 'code is not empty' })
    await fc.assert(
      fc.asyncProperty(table, edits, selections, async (data, edit, selection) => {
        const ref = await createTable(suite, data)
        const { records: before } = await engine.readRecords(ref)
        const preview = await previewEdit(ref, edit, selection, firstPage)
        const replaceValue = compileEdit(ref, edit)
        const { updated } = await engine.replaceValues(
          ref,
          selection,
          { fields: [edit.fieldKey], replaceValue },
          { ...createWriteContext(), assertUnchanged: requireVersion(preview.version) },
        )
        const { records: after } = await engine.readRecords(ref)
        const landed = new Map<string, number>()
        for (const [i, record] of before.entries())
          for (const [key, { value }] of Object.entries(record.values)) {
            const next = after[i]!.values[key]!.value
            if (JSON.stringify(next) === JSON.stringify(value)) continue
            expect(key).toBe(edit.fieldKey)
            const name = JSON.stringify([value, next])
            landed.set(name, (landed.get(name) ?? 0) + 1)
          }
        const shown = new Map(preview.changes.map((one) => [JSON.stringify([one.before, one.after]), one.count]))
        expect(shown).toEqual(landed)
        expect(updated).toBe(preview.records)
        expect(preview.values).toBe(landed.size)
        if (edit.type !== 'replace') expect(preview.changes.every(({ valid }) => valid)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  it('is rejected when anything changed since the preview, and can be undone by a restore', async () => {
    const ref = await createTable(suite, {
      rows: [{ name: 'ADA' }, { name: 'Ada' }],
      updates: [],
      deletes: [],
    } as never)
    const edit: Edit = { type: 'replace', fieldKey: 'name', replacements: [{ from: 'ADA', to: 'Ada' }] }
    const { records: before } = await engine.readRecords(ref)
    const apply = (version: number) =>
      engine.replaceValues(
        ref,
        {},
        { fields: ['name'], replaceValue: compileEdit(ref, edit) },
        { ...createWriteContext(), assertUnchanged: requireVersion(version) },
      )
    const { version } = await previewEdit(ref, edit, {}, firstPage)
    await update(ref, [{ id: before[1]!.id, values: { name: { messages: [{ type: 'warn', message: 'Look' }] } } }])
    await expect(apply(version)).rejects.toMatchObject({ code: 'conflict' })
    const fresh = await previewEdit(ref, edit, {}, firstPage)
    expect(await apply(fresh.version)).toMatchObject({ updated: 1 })
    await suite.restoreVersion(ref, { to: fresh.version })
    expect(toValues((await engine.readRecords(ref)).records)).toEqual(toValues(before))
  })

  it('is rejected when another writer commits during the edit', async () => {
    const ref = await createTable(suite, { rows: [{ name: 'ADA' }], updates: [], deletes: [] } as never)
    const edit: Edit = { type: 'replace', fieldKey: 'name', replacements: [{ from: 'ADA', to: 'Ada' }] }
    const { version } = await previewEdit(ref, edit, {}, firstPage)
    let isFirst = true
    const replaceValue = compileEdit(ref, edit)
    const [{ id }] = (await engine.readRecords(ref)).records as [WireRecord]
    suite.cloud.intercept.beforeRequest = async (operation) => {
      if (operation !== 'UpdateItem' || !isFirst) return
      isFirst = false
      await update(ref, [{ id, values: { code: { value: 'z' } } }], engine.createStore())
    }
    await expect(
      engine.replaceValues(
        ref,
        {},
        { fields: ['name'], replaceValue },
        { ...createWriteContext(), assertUnchanged: requireVersion(version) },
      ),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect((await engine.readRecords(ref)).records[0]!.values.name!.value).toBe('ADA')
  })

  it('lists every problem of an impossible edit', () => {
    const ref = { sheetId: 'x', fields: [{ key: 'a', type: 'number' }] }
    const problems = (edit: Edit) => {
      try {
        compileEdit(ref, edit, 'edit.')
      } catch (error) {
        return (error as { problems: { key: string }[] }).problems.map(({ key }) => key)
      }
      return []
    }
    expect(problems({ type: 'split', fieldKey: 'a', separator: ';' })).toEqual(['edit.type'])
    expect(problems({ type: 'read', fieldKey: 'a', reading: { type: 'date' } })).toEqual(['edit.reading.type'])
    expect(problems({ type: 'read', fieldKey: 'b', reading: { type: 'string' } })).toEqual(['edit.fieldKey'])
    const twice = [
      { from: 'x', to: 1 },
      { from: 'x', to: 2 },
      { from: '1', to: 3 },
      { from: 1, to: 4 },
    ]
    expect(problems({ type: 'replace', fieldKey: 'a', replacements: twice })).toEqual([
      'edit.replacements.1.from',
      'edit.replacements.3.from',
    ])
  })
})
