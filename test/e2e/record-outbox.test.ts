/** A writer of records that dies before it has told of its commit: the sweep tells of it, once, from the log. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callerOf, mintAccount, type TestAccount } from '../support/api.ts'
import { ownPlatform } from '../support/own-platform.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let end: () => Promise<void>

// A sweep tells of the commits of every account, as if they had been left.
beforeAll(async () => {
  end = await ownPlatform()
  account = await mintAccount()
  call = callerOf(account.secretKey)
}, 90_000)
afterAll(() => end())

const later = () => new Date(Date.now() + 60_000)

it('is told of by the next sweep with the ids any other process would give its events', async () => {
  const [{ insert, remove }, { originOf }, { publishLeftCommits }, { sheetRef }, { Sheets }] = await Promise.all([
    import('../../lib/records/index.ts'),
    import('../../lib/commits/events.ts'),
    import('../../lib/commits/publish.ts'),
    import('../../lib/commits/sheet-ref.ts'),
    import('../../lib/entities/sheets.ts'),
  ])
  const space = (await call('POST', '/spaces', { name: 'Outbox' })).body.data
  const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'k', type: 'string' }] }]
  const workbook = (await call('POST', '/workbooks', { spaceId: space.id, name: 'w', sheets })).body.data
  const sheet = (await Sheets.get(workbook.sheets[0].id))!
  const context = { actorId: account.userId, at: new Date(), event: originOf(sheet) }
  const topics = async () =>
    (await call('GET', `/events?spaceId=${space.id}&pageSize=100`)).body.data
      .map(({ id, topic }: { id: string; topic: string }) => [topic, id])
      .slice(3)

  // What the API does up to its death: the commit is in the log, nothing is told.
  const { ids, commitId } = await insert(
    sheetRef(sheet),
    [{ values: { k: { value: 'a' } } }, { values: { k: { value: 'b' } } }],
    { ...context, op: 'one' },
  )
  await remove(sheetRef(sheet), [[...ids][0]!], { ...context, op: 'two' })
  expect(await topics()).toEqual([])

  await publishLeftCommits(later())
  const told = await topics()
  expect(told.map(([topic]: string[]) => topic)).toEqual([
    'records:created',
    'commit:created',
    'sheet:counts-updated',
    'records:deleted',
    'sheet:counts-updated',
  ])
  const created = (await call('GET', `/events/${told[0][1]}`)).body.data
  expect(created).toMatchObject({
    payload: { recordIds: [...ids], recordCount: 2 },
    context: { commitId, actorId: account.userId },
  })

  expect(await publishLeftCommits(later())).toBe(0)
  expect(await topics()).toEqual(told)
})

it('with many events is told of by one process at a time', async () => {
  const [{ insert, update }, { originOf }, { publishLeftCommits }, { sheetRef }, { Sheets }, { holdOf, Held }] =
    await Promise.all([
      import('../../lib/records/index.ts'),
      import('../../lib/commits/events.ts'),
      import('../../lib/commits/publish.ts'),
      import('../../lib/commits/sheet-ref.ts'),
      import('../../lib/entities/sheets.ts'),
      import('../../lib/commits/hold.ts'),
    ])
  const space = (await call('POST', '/spaces', { name: 'Held' })).body.data
  const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'k', type: 'string' }] }]
  const workbook = (await call('POST', '/workbooks', { spaceId: space.id, name: 'w', sheets })).body.data
  const sheet = (await Sheets.get(workbook.sheets[0].id))!
  const ref = sheetRef(sheet)
  const context = { actorId: account.userId, at: new Date(), event: originOf(sheet) }
  const long = { values: { k: { value: 'b'.repeat(14_000) } } }
  const { ids } = await insert(
    ref,
    Array.from({ length: 300 }, () => ({ values: {} })),
    { ...context, op: 'many', silent: true },
  )
  const changes = [...ids].map((id) => ({ id, ...long }))
  const { commitId } = await update(ref, changes, { ...context, op: 'all of them' })
  const updates = async () =>
    (await call('GET', `/events?spaceId=${space.id}&topic=records:updated&pageSize=1000`)).body.data.length

  // Its writer is at it: the sweep leaves it alone, and who else would tell of it, too.
  const writer = holdOf(commitId!)
  await writer.keep()
  await expect(holdOf(commitId!).keep()).rejects.toThrow(Held)
  await publishLeftCommits(later())
  expect(await updates()).toBe(0)
  await writer.end()

  // Two sweeps at the same time tell of it once.
  const told = await Promise.all([publishLeftCommits(later()), publishLeftCommits(later())])
  expect(told.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2)
  expect(await updates()).toBeGreaterThan(25)
  expect(await publishLeftCommits(later())).toBe(0)
})

it('is left to the sweep by a request that has no time left', async () => {
  const [{ bulkChanges }, { writeRecords }, { publishLeftCommits }, { Sheets }] = await Promise.all([
    import('../../lib/commits/bulk.ts'),
    import('../../lib/commits/write.ts'),
    import('../../lib/commits/publish.ts'),
    import('../../lib/entities/sheets.ts'),
  ])
  const space = (await call('POST', '/spaces', { name: 'Late' })).body.data
  const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'k', type: 'string' }] }]
  const workbook = (await call('POST', '/workbooks', { spaceId: space.id, name: 'w', sheets })).body.data
  const sheet = (await Sheets.get(workbook.sheets[0].id))!
  const by = { actor: { accountId: account.accountId, actorId: account.userId } }
  const rows = Array.from({ length: 300 }, () => ({ values: {} }))
  await writeRecords(sheet, by, { silent: true }).insert(rows)
  const late = bulkChanges(sheet, by, { tellUntil: Date.now() - 1 })
  const { updated } = await late.update({}, { k: { value: 'b'.repeat(14_000) } })
  expect(updated).toBe(300)
  const told = async (topic: string) =>
    (await call('GET', `/events?spaceId=${space.id}&topic=${topic}&pageSize=1000`)).body.data
  expect(await told('records:updated')).toEqual([])
  await publishLeftCommits(later())
  expect((await told('records:updated')).length).toBeGreaterThan(25)
  // The last one of a commit.
  const [last] = await told('sheet:counts-updated')
  expect(last.payload.counts.updated).toBe(300)
})
