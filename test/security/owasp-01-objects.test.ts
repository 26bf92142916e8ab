/** Broken object level authorization (OWASP API1:2023) where a request names several records. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ApiResponse, createCaller, createDataCaller, createTestAccount, pluck } from '../support/api.ts'
import { createUnknownId } from '../support/foreign.ts'
import { type Caller, call, createFreshSpace, environmentId, must } from '../support/fresh-account.ts'
import { createSheet, readRecords } from '../support/resources.ts'

const FIELDS = [
  { key: 'name', type: 'string' },
  { key: 'phone', type: 'string' },
]
const OWN = [
  { name: 'Ada', phone: null },
  { name: 'ADA', phone: '1' },
  { name: 'Grace', phone: '2' },
]
const SECRET = [{ name: 'Secret name', phone: 'Secret phone' }]

let sheetId: string
let keep: string
let remove: string
let third: string
/** Existing records that the sheet does not have, by the place they are in. */
let foreign: Record<string, { id: string; sheetId: string; by: Caller }>

async function createForeign(by: Caller, target: object): Promise<{ id: string; sheetId: string; by: Caller }> {
  const create = createDataCaller(() => by)
  const workbook = await create('POST', '/workbooks', {
    name: 'Foreign',
    sheets: [{ name: 'People', slug: 'people', fields: FIELDS }],
    ...target,
  })
  const [{ id }] = workbook.sheets
  const { records } = await create('POST', `/sheets/${id}/records`, SECRET)
  return { id: records[0].id, sheetId: id, by }
}

beforeAll(() => createFreshSpace({ name: 'Merges' }))
beforeEach(async () => {
  const own = await createSheet(FIELDS)
  sheetId = own.sheetId
  ;[keep, remove, third] = pluck((await must('POST', `/sheets/${sheetId}/records`, OWN)).records, 'id') as [
    string,
    string,
    string,
  ]
  const { id: otherSpace } = await must('POST', '/spaces', { environmentId, name: 'Other' })
  const stranger = await createTestAccount()
  const by = createCaller(stranger.secretKey)
  const { id: strangerSpace } = await createDataCaller(() => by)('POST', '/spaces', {
    environmentId: stranger.environmentId,
    name: 'Stranger',
  })
  foreign = {
    'another sheet of the space': await createForeign(call, { spaceId: own.spaceId }),
    'another space of the account': await createForeign(call, { spaceId: otherSpace }),
    'another account': await createForeign(by, { spaceId: strangerSpace }),
  }
})

interface Merge {
  keep: string
  remove: string[]
  values?: Record<string, string>
}

/** Merges that are allowed without the foreign id. */
const ATTACKS: Record<string, (id: string) => Merge[]> = {
  'as the record to keep': (id) => [{ keep: id, remove: [keep, remove] }],
  'as the record to keep, with own values': (id) => [{ keep: id, remove: [keep], values: { name: keep } }],
  'among the records to remove': (id) => [{ keep, remove: [remove, id] }],
  'as the record to remove, with its values': (id) => [{ keep, remove: [id], values: { name: id, phone: id } }],
  'among the values only': (id) => [{ keep, remove: [remove], values: { phone: id } }],
  'in the second of two merges': (id) => [
    { keep, remove: [remove], values: { phone: remove } },
    { keep: third, remove: [id] },
  ],
}

const send = (path: string, merges: Merge[]): Promise<ApiResponse> =>
  call('POST', `/sheets/${sheetId}/quality/${path}`, { merges })
const readValues = async (id: string, by: Caller = call) =>
  (await readRecords(id, '', by)).map(({ values }: { values: Record<string, { value: unknown }> }) =>
    Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, value])),
  )

describe.each(['preview-merge', 'merge'])('%s of a sheet with own records', (path) => {
  it.each(Object.keys(ATTACKS))(
    'treats a record of others %s like a missing one, and changes nothing',
    async (name) => {
      const attack = ATTACKS[name]!
      for (const [place, { id }] of Object.entries(foreign)) {
        const missingId = createUnknownId(id)
        const [hidden, missing] = [await send(path, attack(id)), await send(path, attack(missingId))]
        expect(hidden.status, place).toBe(name === 'among the values only' ? 400 : 404)
        const neutralize = (response: ApiResponse, named: string) =>
          JSON.stringify([response.status, response.body]).replaceAll(named, '<id>')
        expect(neutralize(hidden, id), place).toBe(neutralize(missing, missingId))
        expect(JSON.stringify(hidden.body)).not.toContain('Secret')
      }
      expect(await readValues(sheetId)).toEqual(OWN)
      for (const { sheetId: theirs, by } of Object.values(foreign)) expect(await readValues(theirs, by)).toEqual(SECRET)
    },
  )

  it('accepts the same request with own records', async () => {
    const merges = ATTACKS['as the record to remove, with its values']!(remove)
    const response = await send(path, merges)
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    const [first, ...others] = OWN
    expect(await readValues(sheetId)).toEqual(path === 'merge' ? others : [first, ...others])
  })
})
