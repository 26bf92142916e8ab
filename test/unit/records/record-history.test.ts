/** The history of one record, and the last touch of every record. */
import { beforeAll, describe, expect, it } from 'vitest'
import { parseRecordId } from '../../../lib/records/format/ids.ts'
import { sync } from '../../../lib/records/log/log.ts'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { loadLastTouches } from '../../../lib/records/versions/record-history.ts'
import { noteOriginal } from '../../../lib/values/read-cell.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext, newSheetId } from '../../support/records.ts'

const { engine } = await startRecordSuite()

const sheet: SheetRef = {
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string' },
    { key: 'age', type: 'number' },
    { key: 'city', type: 'string' },
  ],
}
const by = (actor: string) => createWriteContext(`us_usr_${actor}`)
const AT = '2026-01-02T03:04:05.678Z'
let [ada, blaise]: string[] = []
const commits: Record<string, string> = {}

beforeAll(async () => {
  const store = engine.createStore()
  const name = (value: string) => ({ name: { value }, age: { value: noteOriginal('age', 36, '36 y') } })
  const added = await engine.insert(sheet, [{ values: name('Ada') }, { values: name('Blaise') }], by('ada'), store)
  ;[ada, blaise] = [...added.ids]
  const change = async (key: string, values: object, actor = 'bob') => {
    const update = { id: ada!, values: values as { [field: string]: { value: unknown } } }
    commits[key] = (await engine.update(sheet, [update], by(actor), store)).commitId!
  }
  commits.added = added.commitId!
  await change('city', { city: { value: noteOriginal('city', 'Paris', 'paris ') } })
  await change('age', { age: { value: 40 } })
  commits.removed = (await engine.remove(sheet, [ada!], by('eve'), store)).commitId!
  commits.restored = (await engine.restoreVersion(sheet, { to: 2, deleted: true }, by('eve'), store)).commitId!
})

const read = (id: string, page?: object) => engine.readRecordHistory(sheet, id, page, engine.createStore())

describe('the history of a record', () => {
  it('has each commit that changed it, newest first, with the changed cells', async () => {
    const events = (await read(ada!))!
    const shown = events.map(({ action, commitId, createdBy }) => [action, commitId, createdBy])
    expect(shown).toEqual([
      ['created', commits.restored, 'us_usr_eve'],
      ['deleted', commits.removed, 'us_usr_eve'],
      ['updated', commits.age, 'us_usr_bob'],
      ['updated', commits.city, 'us_usr_bob'],
      ['created', commits.added, 'us_usr_ada'],
    ])
    expect(new Set(events.map(({ createdAt }) => createdAt))).toEqual(new Set([AT]))
    expect(events.map(({ changes }) => changes)).toEqual([
      [],
      [],
      [{ fieldKey: 'age', previousValue: 36, newValue: 40 }],
      [{ fieldKey: 'city', previousValue: null, newValue: 'Paris' }],
      [],
    ])
  })

  it('has the texts that its values were read from, for changed cells and new records', async () => {
    const originals = (await read(ada!))!.map((event) => event.originals)
    expect(originals.slice(1)).toEqual([undefined, undefined, { city: 'paris ' }, { age: '36 y' }])
    expect((await read(blaise!))!.map((event) => event.originals)).toEqual([{ age: '36 y' }])
  })

  it('is read in pages', async () => {
    const whole = (await read(ada!))!
    expect(await read(ada!, { pageSize: 4 })).toEqual(whole.slice(0, 4))
    expect(await read(ada!, { pageSize: 4, pageNumber: 2 })).toEqual(whole.slice(4))
    expect(await read(ada!, { pageSize: 3, pageNumber: 3 })).toEqual([])
  })

  it('is missing for a record that the sheet never had', async () => {
    const beyond = ada!.replace(/.$/, '7')
    for (const id of ['us_rc_unknown', ada!.replace(sheet.sheetId.slice(6), 'other'), beyond])
      expect(await read(id), id).toBeUndefined()
  })
})

describe('the last touch of a record', () => {
  it('is its newest commit, or the commit that added it', async () => {
    const store = engine.createStore()
    const touchOf = await loadLastTouches(store, await sync(store, sheet.sheetId))
    const find = (id: string) => touchOf(parseRecordId(sheet.sheetId, id)!)
    expect(find(blaise!)).toEqual({ commitId: commits.added, at: AT })
    expect(find(ada!)).toEqual({ commitId: commits.restored, at: AT })
    expect(touchOf({ key: 'zz', row: 0 })).toBeUndefined()
  })
})
