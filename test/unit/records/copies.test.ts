/** Limits and repetitions of copying records into another sheet. */
import { describe, expect, it } from 'vitest'
import type { CopyOptions, SheetRef } from '../../../lib/records/index.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext, newSheetId } from '../../support/records.ts'

const { engine, insert, remove } = await startRecordSuite()

const createSheet = (): SheetRef => ({ sheetId: newSheetId(), fields: [{ key: 'code', type: 'number' }] })
const createRows = (length: number) => Array.from({ length }, (_, code) => ({ values: { code: { value: code } } }))

async function createSource(rows = 4) {
  const [source, target] = [createSheet(), createSheet()]
  const { ids } = await insert(source, createRows(rows))
  const copy = (selection: object, options: Partial<CopyOptions> = {}, context = createWriteContext()) =>
    engine.copyRecords(source, selection, target, context, { maxAdditions: 100, ...options })
  return { source, target, ids: [...ids], copy }
}

const countCopies = async (sheet: SheetRef) => (await engine.countRecords(sheet, {}, engine.createStore())).total

describe('copying records', () => {
  it('adds only the records that the copy does not have, and nothing if it has all', async () => {
    const { target, ids, copy } = await createSource()
    expect(await copy({ ids: ids.slice(0, 2) })).toMatchObject({ created: 2 })
    expect(await copy({ ids })).toMatchObject({ created: 2 })
    expect(await copy({ ids })).toBeUndefined()
    expect(await countCopies(target)).toBe(4)
  })

  it('copies a record again that was deleted from the copy', async () => {
    const { target, ids, copy } = await createSource()
    const { createdIds } = (await copy({ ids }))!
    await remove(target, [[...createdIds][1]!])
    expect(await copy({ ids })).toMatchObject({ created: 1 })
    expect(await countCopies(target)).toBe(4)
  })

  it('happens once when it is repeated', async () => {
    const { target, ids, copy } = await createSource()
    const context = createWriteContext()
    const first = await copy({ ids: ids.slice(0, 1) }, {}, context)
    expect(await copy({ ids }, {}, context)).toMatchObject({ commitId: first!.commitId, created: 1 })
    expect(await countCopies(target)).toBe(1)
  })

  it('shows the records before they are written', async () => {
    const { target, ids, copy } = await createSource()
    const seen: unknown[] = []
    await copy(
      { ids: ids.slice(1, 3) },
      {
        beforeWrite: async (batches) => {
          expect(await countCopies(target)).toBe(0)
          for await (const { columns } of batches()) seen.push(...columns.get('code')!)
        },
      },
    )
    expect(seen).toEqual([1, 2])
  })

  it('is refused after the last of the allowed additions', async () => {
    const { ids, copy } = await createSource()
    for (const id of ids.slice(0, 2)) await copy({ ids: [id] }, { maxAdditions: 2 })
    await expect(copy({ ids }, { maxAdditions: 2 })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Records can be added to a clip at most 2 times.',
    })
  })

  it('is refused if another request copies the same records at the same time', async () => {
    const { target, ids, copy } = await createSource()
    const beforeWrite = async () => {
      await copy({ ids: ids.slice(1, 2) })
    }
    await expect(copy({ ids }, { beforeWrite })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Another request copied some of these records at the same time. Repeat the request.',
    })
    expect(await countCopies(target)).toBe(1)
  })
})
