/** Count limits: one more is a 409 that names the limit and creates nothing. */
import { beforeAll, expect, it } from 'vitest'
import type { newId as NewId } from '../../lib/core/ids.ts'
import type { Tx } from '../../lib/tx.ts'
import { MAX_ROLES_PER_ACTOR } from '../../schemas/access/roles.ts'
import { MAX_CONSTRAINTS_PER_APP, MAX_VERSIONS_PER_CONSTRAINT } from '../../schemas/apps/shape.ts'
import { MAX_SECRETS_PER_SCOPE } from '../../schemas/secrets/shape.ts'
import { MAX_VIEWS_PER_SHEET } from '../../schemas/views/shape.ts'
import { account, admin, createFreshAccount, mustAsAdmin as must } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

beforeAll(createFreshAccount)

async function expectFull(limit: number, path: string, body: object): Promise<void> {
  const { status, body: answer } = await admin('POST', path, body)
  expect(status, JSON.stringify(answer)).toBe(409)
  expect(answer.errors[0].message).toContain(limit.toLocaleString('en'))
}
const beginTransaction = async (): Promise<Tx> =>
  (await import('../../lib/tx.ts')).begin({ accountId: account.accountId, actorId: account.userId })

async function writeMany(count: number, write: (tx: Tx, number: number, newId: typeof NewId) => void): Promise<void> {
  const { newId } = await import('../../lib/core/ids.ts')
  for (let number = 1; number <= count; ) {
    const tx = await beginTransaction()
    for (const last = Math.min(count, number + 29); number <= last; number++) write(tx, number, newId)
    await tx.commit()
  }
}

it('limits constraints of an app, and versions of one', async () => {
  const app = await must('POST', '/apps', { name: 'Limits', namespace: 'limits', type: 'CUSTOM' })
  const path = `/apps/${app.id}/constraints`
  const { id } = await must('POST', path, { validator: 'v0' })
  const { AppConstraints } = await import('../../lib/entities/apps.ts')
  const before = (await AppConstraints.get(id))!
  const { rev: _, ...stored } = before
  await writeMany(MAX_CONSTRAINTS_PER_APP - 1, (tx, number, newId) =>
    AppConstraints.insert(tx, { ...stored, id: newId('constraint'), validator: `v${number}` }),
  )
  expect(await must('GET', path)).toHaveLength(MAX_CONSTRAINTS_PER_APP)
  await expectFull(MAX_CONSTRAINTS_PER_APP, path, { validator: 'one more' })
  const tx = await beginTransaction()
  AppConstraints.change(tx, before, { ...before, version: MAX_VERSIONS_PER_CONSTRAINT })
  await tx.commit()
  const changed = await admin('PATCH', `${path}/${before.id}`, { label: 'One more' })
  expect([changed.status, changed.body.errors[0].message]).toEqual([409, expect.stringContaining('500 versions')])
  expect((await must('GET', `${path}/${before.id}`)).label).toBeUndefined()
})

it('limits secrets of a scope, where overwriting a value adds none', async () => {
  const { environmentId } = account
  const secretOf = (name: string, value = 'x') => ({ environmentId, name, value })
  const [made] = await must('POST', '/secrets', secretOf('S0'))
  const { Secrets } = await import('../../lib/entities/secrets.ts')
  const { rev: _, ...stored } = (await Secrets.get(made.id))!
  await writeMany(MAX_SECRETS_PER_SCOPE - 1, (tx, number, newId) =>
    Secrets.insert(tx, { ...stored, id: newId('secret'), name: `S${number}` }),
  )
  await expectFull(MAX_SECRETS_PER_SCOPE, '/secrets', secretOf('One more'))
  expect(await must('POST', '/secrets', secretOf('S0', 'y'))).toMatchObject([{ id: made.id, value: 'y' }])
})

it('limits views of a sheet', async () => {
  const { environmentId } = account
  const { id: spaceId } = await must('POST', '/spaces', { environmentId })
  const sheetId = (await createSheet(undefined, { space: spaceId, by: admin })).sheetId
  const view = { sheetId, name: 'V', config: {} }
  const made = await must('POST', '/views', view)
  const { Views } = await import('../../lib/entities/views.ts')
  const { rev: _, ...stored } = (await Views.get(made.id))!
  await writeMany(MAX_VIEWS_PER_SHEET - 1, (tx, _number, newId) =>
    tx.write(Views.create({ ...stored, id: newId('view') })),
  )
  expect((await admin('GET', `/views?sheetId=${sheetId}`)).body.pagination.totalCount).toBe(MAX_VIEWS_PER_SHEET)
  await expectFull(MAX_VIEWS_PER_SHEET, '/views', view)
})

it('limits roles of a user, where assigning one again adds none', async () => {
  const { environmentId } = account
  const email = `roles-${account.userId.slice(-8).toLowerCase()}@example.com`
  const spaces: string[] = []
  for (let number = 0; number <= MAX_ROLES_PER_ACTOR; number++)
    spaces.push((await must('POST', '/spaces', { environmentId })).id)
  const roleOn = (resourceId: string) => ({ roleId: 'us_rol_reader', resourceId })
  const user = await must('POST', '/users/invite', { email, name: 'R', actorRoles: [roleOn(spaces[0]!)] })
  for (const space of spaces.slice(0, MAX_ROLES_PER_ACTOR)) await must('POST', `/users/${user.id}/roles`, roleOn(space))
  await expectFull(MAX_ROLES_PER_ACTOR, `/users/${user.id}/roles`, roleOn(spaces.at(-1)!))
  expect(await must('GET', `/users/${user.id}/roles`)).toHaveLength(MAX_ROLES_PER_ACTOR)
}, 30_000)
