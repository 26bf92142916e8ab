import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { Permission, Scope } from '../../../schemas/access/permissions.ts'
import type { GuestSpace } from '../../../schemas/guests/shape.ts'
import { endpoints } from '../../../schemas/index.ts'
import { startAuthCloud } from '../../support/auth-cloud.ts'
import { createResources, createScope, newIdSuffix } from '../../support/auth-items.ts'

const resources: { name: string; scope: Scope; getVisible: (principal: Principal) => unknown }[] = []

const SCOPES: Scope[] = [
  'space',
  'workbook',
  'sheet',
  'snapshot',
  'file',
  'job',
  'event',
  'document',
  'action',
  'thread',
  'canvas',
  'canvasArea',
  'clip',
  'view',
  'program',
  'channel',
]

const permissions = new Map<Scope, Set<Permission | 'spaces:create'>>(SCOPES.map((scope) => [scope, new Set()]))
for (const { policy } of endpoints) if ('on' in policy) permissions.get(policy.on)?.add(policy.can)

await startAuthCloud()
const principals = await import('../../../lib/auth/principal.ts')
const scopes = await import('../../../lib/auth/load-resource.ts')
const guests = await import('../../../lib/auth/guests.ts')
const access = await import('../../../lib/auth/guest-principal.ts')
const begin = (await import('../../../lib/tx.ts')).begin
const first = await createScope()
const { accountId, environmentId, spaceId } = first
const second = await createScope({ accountId, environmentId, spaceId })
const other = await createScope({ accountId, environmentId })
for (const [where, mayReadFiles] of Object.entries({ first, second, other })) {
  const ids: Record<string, string> = {
    ...(await createResources(mayReadFiles)),
    space: mayReadFiles.spaceId,
    workbook: mayReadFiles.workbookId,
    sheet: mayReadFiles.sheetId,
    channel: mayReadFiles.spaceId,
  }
  for (const scope of SCOPES) {
    const getVisible = await scopes.readScope(scope, ids[scope]!)
    resources.push({ name: `${scope} of ${where}`, scope, getVisible })
  }
}

const GRANTS: Record<string, () => GuestSpace> = {
  'a whole space': () => ({ id: first.spaceId }),
  'a workbook of it': () => ({ id: first.spaceId, workbooks: [{ id: first.workbookId }] }),
  'another workbook of it': () => ({ id: first.spaceId, workbooks: [{ id: second.workbookId }] }),
  'a sheet of it': () => ({ id: first.spaceId, sheets: [{ id: first.sheetId }] }),
  'two sheets of it': () => ({ id: first.spaceId, sheets: [{ id: first.sheetId }, { id: second.sheetId }] }),
  'another whole space': () => ({ id: other.spaceId }),
  'a workbook of the other space': () => ({ id: other.spaceId, workbooks: [{ id: other.workbookId }] }),
  'a sheet of the other space': () => ({ id: other.spaceId, sheets: [{ id: other.sheetId }] }),
}
const NAMES = Object.keys(GRANTS)

async function createGuestWith(...names: string[]): Promise<Principal> {
  const { accountId, environmentId } = first
  const email = `${newIdSuffix()}@example.com`.toLowerCase()
  let id = ''
  for (const name of names) {
    const tx = begin({ accountId, actorId: 'us_usr_X' })
    const { id: spaceId, ...parts } = GRANTS[name]!()
    const spaces = [{ id: spaceId, workbooks: undefined, sheets: undefined, ...parts }]
    id = (await guests.addGuest(tx, { environmentId, email, name: 'G', spaces })).id
    await tx.commit()
  }
  return (await access.loadGuestPrincipal({ actorId: id, environmentId }))!
}

function computeRights(caller: Principal): string[] {
  const rights: string[] = []
  for (const { name, scope, getVisible } of resources)
    for (const permission of permissions.get(scope)!) {
      const allowed = principals.restrictTo(caller, permission, scope)
      if (allowed && getVisible(allowed)) rights.push(`${permission} ${name}`)
    }
  return rights.sort()
}

const alone = new Map<string, string[]>()
const computeRightsOfGrant = async (name: string): Promise<string[]> => {
  const known = alone.get(name) ?? computeRights(await createGuestWith(name))
  alone.set(name, known)
  return known
}

describe('rights of a guest with two grants', () => {
  const pairs = NAMES.flatMap((one) => NAMES.map((two) => [one, two] as const))
  it.each(pairs)('%s, then %s: are exactly the union of both grants', async (one, two) => {
    const [ofOne, ofTwo] = [await computeRightsOfGrant(one), await computeRightsOfGrant(two)]
    expect(computeRights(await createGuestWith(one, two))).toEqual([...new Set([...ofOne, ...ofTwo])].sort())
  })

  it('differ between a whole space and parts of it', async () => {
    const whole = await computeRightsOfGrant('a whole space')
    for (const right of [
      'files:write file of first',
      'events:read channel of first',
      'documents:read document of second',
    ])
      expect(whole).toContain(right)
    const part = await computeRightsOfGrant('a workbook of it')
    expect(part.filter((right) => !whole.includes(right))).toEqual([])
    expect(part.some((right) => /^(files|events|documents|canvases):/.test(right))).toBe(false)
  })
})

describe('may()', () => {
  it('checks the grant of each space', async () => {
    const { accountId, environmentId } = first
    const caller = await createGuestWith('a whole space', 'a workbook of the other space')
    const mayReadFiles = (spaceId: string) =>
      principals.may(caller, 'files:read', { accountId, environmentId, spaceId })
    expect([mayReadFiles(first.spaceId), mayReadFiles(other.spaceId)]).toEqual([true, false])
    expect(principals.may(caller, 'files:read')).toBe(true)
    expect(principals.may(caller, 'spaces:write')).toBe(false)
  })
})
