/** A job's config is validated with the permissions of its caller. */
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createSheets } from '../support/mapping-jobs.ts'
import { createGuestCaller } from '../support/resources.ts'

let guest: typeof call
let pair: Awaited<ReturnType<typeof createSheets>>

beforeAll(async () => {
  await createFreshSpace()
  pair = await createSheets()
  guest = await createGuestCaller({ id: spaceId })
})

const CONFIGS = {
  'find-replace': () => ({ sheetId: pair.source, fieldKey: 'Vorname', find: 'Ada', replace: 'Augusta' }),
  'edit-values': () => ({
    sheetId: pair.source,
    edit: { type: 'replace', fieldKey: 'Vorname', replacements: [{ from: 'Ada', to: 'Augusta' }] },
  }),
  'delete-records': () => ({ sheet: pair.source, filter: 'none', ids: [] }),
}
const snapshots = async () => (await must('GET', `/snapshots?sheetId=${pair.source}`)).length

describe.each(Object.keys(CONFIGS) as (keyof typeof CONFIGS)[])('workbook:%s with a snapshotLabel', (operation) => {
  const job = (more: object = {}, config: object = {}) => ({
    type: 'workbook',
    operation,
    source: pair.workbookId,
    config: { ...CONFIGS[operation](), ...config },
    ...more,
  })
  const SNAPSHOT = { snapshotLabel: 'Before' }

  it('is rejected for a guest, who cannot take snapshots, when the job is created and when it is changed', async () => {
    const before = await snapshots()
    const direct = await guest('POST', '/snapshots', { sheetId: pair.source })
    expect(direct.status).toBe(403)
    for (const trigger of ['manual', 'immediate'])
      expect(await guest('POST', '/jobs', job({ trigger }, SNAPSHOT))).toMatchObject({ status: 403, body: direct.body })
    const { id } = await must('POST', '/jobs', job(), guest)
    const changed = await guest('PATCH', `/jobs/${id}`, { config: job({}, SNAPSHOT).config })
    expect(changed).toMatchObject({ status: 403, body: direct.body })
    await must('POST', `/jobs/${id}/execute`, undefined, guest)
    expect((await waitForJob(id, guest)).status).toBe('completed')
    expect(await snapshots()).toBe(before)
  })

  it('takes a snapshot for callers with the permission', async () => {
    const before = await snapshots()
    const { id } = await must('POST', '/jobs', job({ trigger: 'immediate' }, SNAPSHOT))
    expect((await waitForJob(id)).status).toBe('completed')
    expect(await snapshots()).toBe(before + 1)
  })
})

describe('PATCH /jobs/{id}', () => {
  it('rejects a config that creation would reject', async () => {
    const job = { type: 'workbook', operation: 'find-replace', source: pair.workbookId, trigger: 'manual' }
    const { id } = await must('POST', '/jobs', job)
    const config = { sheetId: pair.source, fieldKey: 'Unknown', find: 'a', replace: 'b' }
    const created = await call('POST', '/jobs', { ...job, config })
    const changed = await call('PATCH', `/jobs/${id}`, { config })
    expect(created.status).toBe(400)
    expect([changed.status, changed.body]).toEqual([created.status, created.body])
  })
})
