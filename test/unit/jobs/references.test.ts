import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { Sheets, type StoredSheet } from '../../../lib/entities/sheets.ts'
import { assertCanSeeAll, getJobSheet } from '../../../lib/jobs/request/resources.ts'

const loads = vi.hoisted(() => ({ loadScope: vi.fn(), loadWithPermission: vi.fn() }))
vi.mock('../../../lib/auth/load-resource.ts', () => loads)

beforeEach(() => {
  loads.loadScope.mockReset()
  loads.loadWithPermission.mockReset()
})

describe('the sheet of a job', () => {
  const sheet = { id: 'us_sh_1', environmentId: 'us_env_1', spaceId: 'us_sp_1' } as StoredSheet
  const find = (found: StoredSheet | undefined, location: Parameters<typeof getJobSheet>[0]) => {
    vi.spyOn(Sheets, 'get').mockResolvedValue(found)
    return getJobSheet(location, sheet.id)
  }

  it('is in the space of the job', async () => {
    expect(await find(sheet, { environmentId: 'us_env_1', spaceId: 'us_sp_1' })).toBe(sheet)
  })

  it.each([
    ['is missing', undefined, { environmentId: 'us_env_1', spaceId: 'us_sp_1' }],
    ['is in another environment', sheet, { environmentId: 'us_env_2', spaceId: 'us_sp_1' }],
    ['is in another space', sheet, { environmentId: 'us_env_1', spaceId: 'us_sp_2' }],
    ['is named by a job without a space', sheet, { environmentId: 'us_env_1' }],
  ])('is not found if it %s', async (_, found, location) => {
    await expect(find(found, location)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(/sheet.*us_sh_1/i),
    })
  })
})

describe('the ids in the request of a job', () => {
  const KEY: Principal = { accountId: 'us_acc_1', actorId: 'us_key_1', role: 'secret' as Principal['role'] }
  const GUEST: Principal = { ...KEY, grants: [] }
  const EMBEDDED: Principal = { ...KEY, spaceId: 'us_sp_1' }
  const RECIPE = 'us_mp_9'
  const request = {
    source: 'us_wb_1',
    subject: { params: { us_fl_1: 'us_rc_1' } },
    config: { sheetIds: ['us_sh_1', 'us_wb_1'], mapping: 'us_mp_1', recipeId: RECIPE },
    input: { recipeId: RECIPE },
    progress: 0,
    info: null,
  }

  it.each([GUEST, EMBEDDED])('are loaded once each, for a caller limited to spaces', async (caller) => {
    await assertCanSeeAll(caller, request)
    expect(loads.loadScope.mock.calls).toEqual([
      ['workbook', caller, 'us_wb_1'],
      ['file', caller, 'us_fl_1'],
      ['sheet', caller, 'us_sh_1'],
    ])
  })

  it('are rejected if one of them is hidden', async () => {
    loads.loadScope.mockRejectedValueOnce(new Error('hidden'))
    await expect(assertCanSeeAll(GUEST, request)).rejects.toThrow('hidden')
  })

  it('are not loaded for other callers, except programs that the job does not name already', async () => {
    await assertCanSeeAll(KEY, request)
    expect(loads.loadScope).not.toHaveBeenCalled()
    expect(loads.loadWithPermission.mock.calls).toEqual([['program', KEY, 'mapping:read', 'us_mp_1']])
    await assertCanSeeAll(KEY, request, ['us_mp_1'])
    expect(loads.loadWithPermission).toHaveBeenCalledTimes(1)
  })

  it('can be missing', async () => expect(await assertCanSeeAll(GUEST, undefined)).toBeUndefined())
})
