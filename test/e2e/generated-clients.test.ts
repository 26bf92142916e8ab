/** A client of openapi-fetch, for the types generated from the OpenAPI document by openapi-typescript. */
import createClient from 'openapi-fetch'
import { expect, it } from 'vitest'
import type { paths } from '../../web/shared/api/schema.generated.ts'
import { createTestAccount, getServer } from '../support/api.ts'

const SHEET = {
  name: 'People',
  slug: 'people',
  fields: [{ key: 'email', type: 'string' as const, constraints: [{ type: 'required' as const }] }],
}

it('a TypeScript client creates and reads resources, with numbers and booleans in queries', async () => {
  const { secretKey } = await createTestAccount()
  const baseUrl = new URL(getServer().baseUrl).origin
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${secretKey}` } })
  const space = (await api.POST('/api/v1/spaces', { body: { name: 'Typed' } })).data!.data
  const workbook = await api.POST('/api/v1/workbooks', { body: { spaceId: space.id, name: 'w', sheets: [SHEET] } })
  const sheet = workbook.data!.data.sheets![0]!
  const [field] = sheet.config.fields
  expect(field).toMatchObject({ key: 'email', type: 'string' })
  const path = { sheetId: sheet.id }
  const body = [{ email: { value: 'ada@example.com' } }, { email: { value: null } }]
  await api.POST('/api/v1/sheets/{sheetId}/records', { params: { path }, body })
  const query = { pageSize: 1, pageNumber: 2, includeCounts: true, includeMessages: false }
  const page = (await api.GET('/api/v1/sheets/{sheetId}/records', { params: { path, query } })).data!.data
  expect(page.records.map(({ values }) => values.email!.value)).toEqual([null])
  expect(page.counts).toMatchObject({ total: 2, valid: 1, error: 1 })
  const job = await api.POST('/api/v1/jobs', {
    body: { type: 'workbook', operation: 'submit', source: workbook.data!.data.id, trigger: 'manual' },
  })
  const jobs = await api.GET('/api/v1/jobs', {
    params: { query: { spaceId: space.id, status: ['created'], excludeChildJobs: true } },
  })
  expect(jobs.data!.data.map(({ id }) => id)).toEqual([job.data!.data.id])
})
