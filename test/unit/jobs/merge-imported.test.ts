import { beforeEach, describe, expect, it, vi } from 'vitest'
import { conflict, invalidField } from '../../../lib/core/errors.ts'
import type { StoredSheet } from '../../../lib/entities/sheets.ts'
import { mergeImported } from '../../../lib/jobs/mapping/merge-imported.ts'

const calls = vi.hoisted(() => ({
  ...{ listMerges: vi.fn(), planMerges: vi.fn(), write: vi.fn(), assertHeld: vi.fn(), createRecordWriter: vi.fn() },
  ...{ readCommitRecords: vi.fn(), findCommitOfOperation: vi.fn() },
}))
vi.mock(import('../../../lib/quality/duplicates.ts'), async (original) => ({
  ...(await original()),
  listMerges: calls.listMerges,
}))
vi.mock(import('../../../lib/quality/merges.ts'), async (original) => ({
  ...(await original()),
  planMerges: calls.planMerges,
}))
vi.mock(import('../../../lib/commits/write.ts'), async (original) => ({
  ...(await original()),
  createRecordWriter: calls.createRecordWriter,
}))
vi.mock(import('../../../lib/records/index.ts'), async (original) => ({
  ...(await original()),
  readCommitRecords: calls.readCommitRecords,
  findCommitOfOperation: calls.findCommitOfOperation,
}))

const sheet = { id: 'us_sh_1', workbookId: 'us_wb_1', config: { fields: [] } } as unknown as StoredSheet
const SEARCH = { fields: ['name'] } as unknown as Parameters<typeof mergeImported>[2][number]
const NOTHING = { updated: 0, deleted: 0 }
const run = { op: 'us_jb_1', actor: { accountId: 'us_acc_1', actorId: 'us_usr_1' }, assertHeld: calls.assertHeld }
const merge = () => mergeImported(run, sheet, [SEARCH], 'us_vr_1')

beforeEach(() => {
  for (const each of Object.values(calls)) each.mockReset()
  calls.readCommitRecords.mockResolvedValue({ created: ['a'], updated: ['b'], deleted: [] })
  calls.listMerges.mockResolvedValue({ merges: [{}], version: 7, exceeds: undefined })
  calls.planMerges.mockResolvedValue({ version: 7, updates: [], deletes: [], records: 2, deleted: 1 })
  calls.createRecordWriter.mockReturnValue({ write: calls.write })
  calls.write.mockResolvedValue({ commitId: 'us_vr_2' })
})

describe('the merge of imported records', () => {
  it('is one commit, of the version that was read, for groups with an imported record', async () => {
    expect(await merge()).toEqual([{ commitId: 'us_vr_2', updated: 2, deleted: 1 }])
    const [, search, isWanted] = calls.listMerges.mock.calls[0]!
    expect(search).toBe(SEARCH)
    expect(['a', 'b', 'c'].map(isWanted)).toEqual([true, true, false])
    const [, by, options] = calls.createRecordWriter.mock.calls[0]!
    expect(by).toBe(run)
    expect(options).toMatchObject({ op: 'us_jb_1#merge0', change: { type: 'merge', duplicates: SEARCH } })
    expect(options.assertUnchanged).toBeInstanceOf(Function)
    expect(calls.assertHeld).toHaveBeenCalledTimes(2)
  })

  it('has no commit if it changes nothing', async () => {
    calls.write.mockResolvedValue({})
    expect(await merge()).toEqual([{ updated: 2, deleted: 1 }])
  })

  it('writes nothing without a duplicate, or with too many', async () => {
    calls.listMerges.mockResolvedValueOnce({ merges: [], version: 7, exceeds: undefined })
    expect(await merge()).toEqual([NOTHING])
    for (const exceeds of ['groups', 'records']) {
      calls.listMerges.mockResolvedValueOnce({ merges: [{}], version: 7, exceeds })
      expect(await merge()).toEqual([{ ...NOTHING, problem: expect.stringMatching(/\d/) }])
    }
    expect(calls.planMerges).not.toHaveBeenCalled()
  })

  it('is tried again when others wrote meanwhile, five times', async () => {
    calls.write.mockRejectedValueOnce(conflict('changed'))
    expect(await merge()).toEqual([{ commitId: 'us_vr_2', updated: 2, deleted: 1 }])
    expect(calls.listMerges).toHaveBeenCalledTimes(2)
    calls.listMerges.mockClear()
    calls.write.mockRejectedValue(conflict('changed'))
    expect(await merge()).toEqual([{ ...NOTHING, problem: 'changed' }])
    expect(calls.listMerges).toHaveBeenCalledTimes(5)
  })

  it('reports a refusal, because the records are imported already', async () => {
    calls.planMerges.mockRejectedValue(invalidField('fields', 'unknown field'))
    expect(await merge()).toEqual([{ ...NOTHING, problem: 'unknown field' }])
    expect(calls.listMerges).toHaveBeenCalledTimes(1)
  })

  it('fails with other errors, and when another run has the job', async () => {
    calls.listMerges.mockRejectedValueOnce(new TypeError('no network'))
    await expect(merge()).rejects.toThrow('no network')
    calls.assertHeld.mockRejectedValueOnce(new Error('stopped'))
    await expect(merge()).rejects.toThrow('stopped')
    expect(calls.write).not.toHaveBeenCalled()
  })
})
