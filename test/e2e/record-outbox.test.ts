/** A writer of records that dies before publishing its commit: the sweep publishes it once, from the log. */
import { beforeAll, expect, it } from 'vitest'
import { account, createFreshAccount, must } from '../support/fresh-account.ts'
import { useOwnPlatform } from '../support/own-platform.ts'
import { createSheet } from '../support/resources.ts'

useOwnPlatform()
beforeAll(createFreshAccount)

/** Loaded late, because these modules read the environment of the platform. */
const load = async () => ({
  ...(await import('../../lib/records/index.ts')),
  ...(await import('../../lib/commits/bulk.ts')),
  ...(await import('../../lib/commits/events.ts')),
  ...(await import('../../lib/commits/publish.ts')),
  ...(await import('../../lib/commits/publish-lease.ts')),
  ...(await import('../../lib/commits/sheet-ref.ts')),
  ...(await import('../../lib/commits/write.ts')),
})

async function createStoredSheet() {
  const { Sheets } = await import('../../lib/entities/sheets.ts')
  const { spaceId, sheetId } = await createSheet([{ key: 'k', type: 'string' }])
  return { spaceId, sheet: (await Sheets.get(sheetId))! }
}

const inOneMinute = () => new Date(Date.now() + 60_000)

it('a pending commit is published by the next sweep with the same event ids any other process would use', async () => {
  const { insert, remove, buildCommitOrigin, publishPendingCommits, toSheetRef } = await load()
  const { spaceId, sheet } = await createStoredSheet()
  const context = { actorId: account.userId, at: new Date(), event: buildCommitOrigin(sheet) }
  const topics = async () =>
    (await must('GET', `/events?spaceId=${spaceId}&pageSize=100`))
      .map(({ id, topic }: { id: string; topic: string }) => [topic, id])
      .slice(3)

  const { ids, commitId } = await insert(
    toSheetRef(sheet),
    [{ values: { k: { value: 'a' } } }, { values: { k: { value: 'b' } } }],
    { ...context, op: 'one' },
  )
  await remove(toSheetRef(sheet), [[...ids][0]!], { ...context, op: 'two' })
  expect(await topics()).toEqual([])

  await publishPendingCommits(inOneMinute())
  const told = await topics()
  expect(told.map(([topic]: string[]) => topic)).toEqual([
    'records:created',
    'commit:created',
    'sheet:counts-updated',
    'records:deleted',
    'sheet:counts-updated',
  ])
  const created = await must('GET', `/events/${told[0][1]}`)
  expect(created).toMatchObject({
    payload: { recordIds: [...ids], recordCount: 2 },
    context: { commitId, actorId: account.userId },
  })

  expect(await publishPendingCommits(inOneMinute())).toBe(0)
  expect(await topics()).toEqual(told)
})

it('a commit with many events is published by one process at a time', async () => {
  const { insert, update, buildCommitOrigin, publishPendingCommits, toSheetRef, createPublishLease, LeaseHeldError } =
    await load()
  const { spaceId, sheet } = await createStoredSheet()
  const ref = toSheetRef(sheet)
  const context = { actorId: account.userId, at: new Date(), event: buildCommitOrigin(sheet) }
  const long = { values: { k: { value: 'b'.repeat(14_000) } } }
  const { ids } = await insert(
    ref,
    Array.from({ length: 300 }, () => ({ values: {} })),
    { ...context, op: 'many', silent: true },
  )
  const changes = [...ids].map((id) => ({ id, ...long }))
  const { commitId } = await update(ref, changes, { ...context, op: 'all of them' })
  const updates = async () =>
    (await must('GET', `/events?spaceId=${spaceId}&topic=records:updated&pageSize=1000`)).length

  // Its writer holds the lease, so the sweep and all other publishers skip it.
  const writer = createPublishLease(commitId!)
  await writer.renew()
  await expect(createPublishLease(commitId!).renew()).rejects.toThrow(LeaseHeldError)
  await publishPendingCommits(inOneMinute())
  expect(await updates()).toBe(0)
  await writer.release()

  const told = await Promise.all([publishPendingCommits(inOneMinute()), publishPendingCommits(inOneMinute())])
  expect(told.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2)
  expect(await updates()).toBeGreaterThan(25)
  expect(await publishPendingCommits(inOneMinute())).toBe(0)
})

it('a request that runs out of time leaves its commit to the sweep', async () => {
  const { createBulkWriter, createRecordWriter, publishPendingCommits } = await load()
  const { spaceId, sheet } = await createStoredSheet()
  const by = { actor: { accountId: account.accountId, actorId: account.userId } }
  const rows = Array.from({ length: 400 }, () => ({ values: {} }))
  await createRecordWriter(sheet, by, { silent: true }).insert(rows)
  const late = createBulkWriter(sheet, by, { publishUntil: Date.now() - 1 })
  const { updated } = await late.update({}, { k: { value: 'b'.repeat(14_000) } })
  expect(updated).toBe(400)
  const listEvents = async (topic: string) =>
    await must('GET', `/events?spaceId=${spaceId}&topic=${topic}&pageSize=1000`)
  expect(await listEvents('records:updated')).toEqual([])
  await publishPendingCommits(inOneMinute())
  expect((await listEvents('records:updated')).length).toBeGreaterThan(32)
  const [last] = await listEvents('sheet:counts-updated')
  expect(last.payload.counts.updated).toBe(400)
})
