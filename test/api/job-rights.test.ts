/** A job is configured with the rights of its caller: it does nothing that the caller may not do. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf } from '../support/api.ts'
import { account, call, ended, freshSpace, must, sheets, spaceId } from '../support/mapping-jobs.ts'

let guest: typeof call
let pair: Awaited<ReturnType<typeof sheets>>

beforeAll(async () => {
  await freshSpace()
  pair = await sheets()
  const { environmentId } = account
  const grant = { email: 'guest@example.com', name: 'Guest', spaces: [{ id: spaceId }], environmentId }
  const [{ id }] = await must('POST', '/guests', [grant])
  guest = callerOf((await must('GET', `/guests/${id}/token`)).token)
})

const CONFIGS = {
  'find-replace': () => ({ sheetId: pair.source, fieldKey: 'Vorname', find: 'Ada', replace: 'Augusta' }),
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

  it('is refused to a guest, who may take no snapshots, when the job is created and when it is changed', async () => {
    const before = await snapshots()
    const direct = await guest('POST', '/snapshots', { sheetId: pair.source })
    expect(direct.status).toBe(403)
    for (const trigger of ['manual', 'immediate'])
      expect(await guest('POST', '/jobs', job({ trigger }, SNAPSHOT))).toMatchObject({ status: 403, body: direct.body })
    const { id } = await must('POST', '/jobs', job(), guest)
    const changed = await guest('PATCH', `/jobs/${id}`, { config: job({}, SNAPSHOT).config })
    expect(changed).toMatchObject({ status: 403, body: direct.body })
    await must('POST', `/jobs/${id}/execute`, undefined, guest)
    expect((await ended(id, guest)).status).toBe('completed')
    expect(await snapshots()).toBe(before)
  })

  it('takes a snapshot for those who may', async () => {
    const before = await snapshots()
    const { id } = await must('POST', '/jobs', job({ trigger: 'immediate' }, SNAPSHOT))
    expect((await ended(id)).status).toBe('completed')
    expect(await snapshots()).toBe(before + 1)
  })
})

describe('PATCH /jobs/{id}', () => {
  it('refuses a config that its creation would refuse', async () => {
    const job = { type: 'workbook', operation: 'find-replace', source: pair.workbookId, trigger: 'manual' }
    const { id } = await must('POST', '/jobs', job)
    const config = { sheetId: pair.source, fieldKey: 'Unknown', find: 'a', replace: 'b' }
    const created = await call('POST', '/jobs', { ...job, config })
    const changed = await call('PATCH', `/jobs/${id}`, { config })
    expect(created.status).toBe(400)
    expect([changed.status, changed.body]).toEqual([created.status, created.body])
  })
})
