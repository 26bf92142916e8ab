/** A writer of records that dies before it has told of its commit: the sweep tells of it, once, from the log. */
import { beforeAll, expect, it } from 'vitest'
import { callerOf, mintAccount, server, type TestAccount } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  server()
})

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
