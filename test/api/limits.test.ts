/** How many of a thing there may be: one more is a 409 that says so, and makes nothing. */
import { beforeAll, expect, it } from 'vitest'
import type { newId as NewId } from '../../lib/core/ids.ts'
import type { Tx } from '../../lib/tx.ts'
import { CONSTRAINTS_PER_APP, VERSIONS_PER_CONSTRAINT } from '../../schemas/apps.ts'
import { ROLES_PER_ACTOR } from '../../schemas/role.ts'
import { SECRETS_PER_PLACE } from '../../schemas/secrets.ts'
import { VIEWS_PER_SHEET } from '../../schemas/views.ts'
import { callerOf, mintAccount, mustOf, type TestAccount } from '../support/api.ts'

let account: TestAccount
let admin: ReturnType<typeof callerOf>

const must = mustOf(() => admin)

beforeAll(async () => {
  account = await mintAccount()
  admin = callerOf((await callerOf(undefined)('POST', '/auth', account)).body.accessToken)
})

async function expectFull(limit: number, path: string, body: object): Promise<void> {
  const { status, body: answer } = await admin('POST', path, body)
  expect(status, JSON.stringify(answer)).toBe(409)
  expect(answer.errors[0].message).toContain(String(limit))
}
const unit = async (): Promise<Tx> =>
  (await import('../../lib/tx.ts')).begin({ accountId: account.accountId, actorId: account.userId })

/** Writes so many more, numbered from 1, past the endpoint that would make them one by one. */
async function written(count: number, write: (tx: Tx, number: number, newId: typeof NewId) => void): Promise<void> {
  const { newId } = await import('../../lib/core/ids.ts')
  for (let number = 1; number <= count; ) {
    const tx = await unit()
    for (const last = Math.min(count, number + 29); number <= last; number++) write(tx, number, newId)
    await tx.commit()
  }
}

it('constraints of an app, and versions of one', async () => {
  const app = await must('POST', '/apps', { name: 'Limits', namespace: 'limits', type: 'CUSTOM' })
  const path = `/apps/${app.id}/constraints`
  const { id } = await must('POST', path, { validator: 'v0' })
  const { AppConstraints } = await import('../../lib/entities/apps.ts')
  const before = (await AppConstraints.get(id))!
  const { rev: _, ...stored } = before
  await written(CONSTRAINTS_PER_APP - 1, (tx, number, newId) =>
    AppConstraints.insert(tx, { ...stored, id: newId('constraint'), validator: `v${number}` }),
  )
  expect(await must('GET', path)).toHaveLength(CONSTRAINTS_PER_APP)
  await expectFull(CONSTRAINTS_PER_APP, path, { validator: 'one more' })
  const tx = await unit()
  AppConstraints.change(tx, before, { ...before, version: VERSIONS_PER_CONSTRAINT })
  await tx.commit()
  const changed = await admin('PATCH', `${path}/${before.id}`, { label: 'One more' })
  expect([changed.status, changed.body.errors[0].message]).toEqual([409, expect.stringContaining('500 versions')])
  expect((await must('GET', `${path}/${before.id}`)).label).toBeUndefined()
})

it('secrets of a place, where a new value is none more', async () => {
  const { environmentId } = account
  const secretOf = (name: string, value = 'x') => ({ environmentId, name, value })
  const [made] = await must('POST', '/secrets', secretOf('S0'))
  const { Secrets } = await import('../../lib/entities/secrets.ts')
  const { rev: _, ...stored } = (await Secrets.get(made.id))!
  await written(SECRETS_PER_PLACE - 1, (tx, number, newId) =>
    Secrets.insert(tx, { ...stored, id: newId('secret'), name: `S${number}` }),
  )
  await expectFull(SECRETS_PER_PLACE, '/secrets', secretOf('One more'))
  expect(await must('POST', '/secrets', secretOf('S0', 'y'))).toMatchObject([{ id: made.id, value: 'y' }])
})

it('views of a sheet', async () => {
  const { environmentId } = account
  const { id: spaceId } = await must('POST', '/spaces', { environmentId })
  const sheets = [{ name: 'S', fields: [{ key: 'a', type: 'string' }] }]
  const sheetId = (await must('POST', '/workbooks', { spaceId, name: 'w', sheets })).sheets[0].id
  const view = { sheetId, name: 'V', config: {} }
  const made = await must('POST', '/views', view)
  const { Views } = await import('../../lib/entities/views.ts')
  const { rev: _, ...stored } = (await Views.get(made.id))!
  await written(VIEWS_PER_SHEET - 1, (tx, _number, newId) => tx.write(Views.create({ ...stored, id: newId('view') })))
  expect((await admin('GET', `/views?sheetId=${sheetId}`)).body.pagination.totalCount).toBe(VIEWS_PER_SHEET)
  await expectFull(VIEWS_PER_SHEET, '/views', view)
})

it('roles of a user, where one it has already is none more', async () => {
  const { environmentId } = account
  const email = `roles-${account.userId.slice(-8).toLowerCase()}@example.com`
  const spaces: string[] = []
  for (let number = 0; number <= ROLES_PER_ACTOR; number++)
    spaces.push((await must('POST', '/spaces', { environmentId })).id)
  const roleOn = (resourceId: string) => ({ roleId: 'us_rol_reader', resourceId })
  const user = await must('POST', '/users/invite', { email, name: 'R', actorRoles: [roleOn(spaces[0]!)] })
  for (const space of spaces.slice(0, ROLES_PER_ACTOR)) await must('POST', `/users/${user.id}/roles`, roleOn(space))
  await expectFull(ROLES_PER_ACTOR, `/users/${user.id}/roles`, roleOn(spaces.at(-1)!))
  expect(await must('GET', `/users/${user.id}/roles`)).toHaveLength(ROLES_PER_ACTOR)
}, 30_000)
