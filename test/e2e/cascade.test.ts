import { expect, it } from 'vitest'
import { createCaller, createDataCaller, waitUntil } from '../support/api.ts'
import { createFixture } from '../support/fixture.ts'
import { findLeftovers, parseItemKind } from '../support/scan-for-secrets.ts'
import { runTour } from '../support/tour.ts'

const IDS = /us_[a-z]+_[0-9A-Z]{26}/g

it('deleting an account leaves no item and no object', { timeout: 300_000 }, async () => {
  const { account, token, ids } = await createFixture()
  const call = createCaller(token)
  const must = createDataCaller(() => call)
  const rows = Array.from({ length: 9000 }, (_, row) => ({ email: { value: `${row} ${Math.random()}` } }))
  for (const some of [rows, rows.slice(0, 400)]) await must('POST', `/sheets/${ids.sheetId}/records`, some)
  for (const resourceId of [ids.spaceId, ids.environmentId])
    await must('PUT', '/entitlements', { resourceId, entitlements: [{ key: 'x' }] })
  await call('POST', `/data-clips/${ids.dataClipId}/add-records?filter=all`)
  await must('POST', '/invitations', { guestId: ids.guestId, spaceId: ids.spaceId })
  const text = 'name\nAda\n'
  const { file, upload } = await must('POST', '/files/uploads', {
    spaceId: ids.spaceId,
    name: 'extracted.csv',
    size: text.length,
  })
  await fetch(upload.url, { method: 'PUT', body: text })
  await must('POST', `/files/${file.id}/complete`)
  await waitUntil(async () => (await must('GET', `/files/${file.id}`)).workbookId, 60)
  const events = await runTour(account)

  const environments: { id: string; isProd: boolean }[] = await must('GET', '/environments?pageSize=100')
  const kept = environments.find(({ isProd }) => isProd)!.id
  const gone = new Set<string>([...JSON.stringify([events, ids, environments]).match(IDS)!])
  for (const id of [account.accountId, account.userId, ids.tokenId!, kept]) gone.delete(id)
  const users: { id: string }[] = await must('GET', '/users')
  expect(users.length).toBeGreaterThan(1)
  const isOfOurs = (text: string): boolean => (text.match(IDS) ?? []).some((id) => gone.has(id))
  const findOwnLeftovers = () => findLeftovers(isOfOurs)
  const before = await findOwnLeftovers()
  const kinds = new Set(before.items.map(parseItemKind))
  for (const kind of [
    'space',
    'workbook',
    'sheet',
    'sh',
    'sg',
    'clip',
    'guest',
    'agent',
    'app',
    'view',
    'secret',
    'user',
  ])
    expect(kinds, kind).toContain(kind)
  expect(before.objects.length).toBeGreaterThan(3)

  for (const { id } of users) if (id !== account.userId) await must('DELETE', `/users/${id}`)
  for (const { id } of environments) if (id !== kept) await must('DELETE', `/environments/${id}`)
  expect((await call('DELETE', `/environments/${kept}`)).status).toBe(409)
  for (const { id } of await must('GET', '/apps')) await call('DELETE', `/apps/${id}`)
  let last = before
  await waitUntil(async () => {
    last = await findOwnLeftovers()
    return last.items.length + last.objects.length === 0
  }, 180).catch(() => undefined)
  expect(last).toEqual({ items: [], objects: [] })
})
