import { beforeAll, expect, it } from 'vitest'
import { waitUntil } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createGuestCaller, createSheet } from '../support/resources.ts'
import { api } from '../support/sdk.ts'

let sheetId: string

beforeAll(async () => {
  await createFreshSpace({ name: 'Viewed' })
  sheetId = (await createSheet([{ key: 'n', type: 'number' }])).sheetId
})

it('views are saved and return a usable query, through the public SDK', async () => {
  await api.records.insert(
    sheetId,
    [1, 5, 3].map((value) => ({ n: { value } })),
  )
  const config = { q: 'n gt 2', sortField: 'n', sortDirection: 'desc' as const }
  const { data: made } = await api.views.create({ sheetId, name: 'Large', config })
  const { data: view } = await api.views.get(made.id)
  expect(view).toEqual({ ...made, config, createdBy: expect.any(String) })
  const { records } = (await api.records.get(sheetId, view.config)).data
  expect(records.map(({ values }) => values.n!.value)).toEqual([5, 3])
  await api.views.update(made.id, { config: { filter: 'error' } })
  const listed = await api.views.list({ sheetId, pageSize: 5 })
  expect(listed).toMatchObject({
    data: [{ id: made.id, name: 'Large', config: { filter: 'error' } }],
    pagination: { totalCount: 1 },
  })
  expect((await api.views.delete(made.id)).data).toEqual({ success: true })
  await expect(api.views.get(made.id)).rejects.toMatchObject({ statusCode: 404 })
})

it('views store hidden columns, within limits', async () => {
  const config = { filter: 'error', hiddenColumns: ['n', 'of another time'] }
  const made = await call('POST', '/views', { sheetId, name: 'Narrow', config })
  expect(made.body.data.config).toEqual(config)
  const many = Array.from({ length: 100 }, (_, at) => `${at}`.padStart(500, 'x'))
  const refused = await call('POST', '/views', { sheetId, name: 'Wide', config: { hiddenColumns: many } })
  expect([refused.status, refused.body.errors[0].key]).toEqual([400, 'config.hiddenColumns'])
  await call('DELETE', `/views/${made.body.data.id}`)
})

it('views of others can be read by a guest, and its own changed', async () => {
  const as = await createGuestCaller({ id: spaceId })
  const theirs = await must('POST', '/views', { sheetId, name: 'Theirs', config: {} })
  expect((await as('GET', `/views/${theirs.id}`)).body.data.name).toBe('Theirs')
  expect((await as('PATCH', `/views/${theirs.id}`, { name: 'Mine' })).status).toBe(403)
  expect((await as('DELETE', `/views/${theirs.id}`)).status).toBe(403)
  const own = (await as('POST', '/views', { sheetId, name: 'Own', config: {} })).body.data
  expect((await as('PATCH', `/views/${own.id}`, { name: 'Renamed' })).body.data.name).toBe('Renamed')
  expect((await as('DELETE', `/views/${own.id}`)).status).toBe(200)
})

it('views are deleted with their sheet', async () => {
  const own = (await createSheet([{ key: 'n', type: 'number' }])).sheetId
  const view = await must('POST', '/views', { sheetId: own, name: 'Gone', config: {} })
  await call('DELETE', `/sheets/${own}`)
  await waitUntil(async () => (await call('GET', `/views/${view.id}`)).status === 404)
})
