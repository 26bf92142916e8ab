/** A guest's rights are the sum of its grants: each says what may be done in its own space, and takes nothing from another. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { Permission, Scope } from '../../../schemas/access.ts'
import type { GuestSpace } from '../../../schemas/guest.ts'
import { endpoints } from '../../../schemas/index.ts'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'
import { type Place, place, tail, thingsIn } from '../../support/auth-items.ts'

let cloud: AuthCloud
let principals: typeof import('../../../lib/auth/principal.ts')
let scopes: typeof import('../../../lib/auth/scopes.ts')
let guests: typeof import('../../../lib/auth/guests.ts')
let access: typeof import('../../../lib/auth/guest-access.ts')
let begin: typeof import('../../../lib/tx.ts').begin
/** Two workbooks of one space, and a workbook of another. */
let first: Place
let second: Place
let other: Place
/** Everything a policy can guard there, read once. */
const things: { name: string; scope: Scope; id: string; read: Promise<unknown> }[] = []

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

/** What endpoints ask of a caller about a thing of each scope. */
const asked = new Map<Scope, Set<Permission | 'spaces:create'>>(SCOPES.map((scope) => [scope, new Set()]))
for (const { policy } of endpoints) if ('on' in policy) asked.get(policy.on)?.add(policy.can)

beforeAll(async () => {
  cloud = await authCloud()
  principals = await import('../../../lib/auth/principal.ts')
  scopes = await import('../../../lib/auth/scopes.ts')
  guests = await import('../../../lib/auth/guests.ts')
  access = await import('../../../lib/auth/guest-access.ts')
  begin = (await import('../../../lib/tx.ts')).begin
  first = await place()
  const { accountId, environmentId, spaceId } = first
  second = await place({ accountId, environmentId, spaceId })
  other = await place({ accountId, environmentId })
  for (const [where, at] of Object.entries({ first, second, other })) {
    const ids: Record<string, string> = {
      ...(await thingsIn(at)),
      space: at.spaceId,
      workbook: at.workbookId,
      sheet: at.sheetId,
      channel: at.spaceId,
    }
    for (const scope of SCOPES) {
      const id = ids[scope]!
      const read = scopes.readAhead(scope, id) ?? Promise.resolve()
      things.push({ name: `${scope} of ${where}`, scope, id, read })
    }
  }
  await Promise.all(things.map(({ read }) => read))
}, 60_000)
afterAll(() => cloud.close())

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

/** A guest who was given one grant after another. */
async function guestWith(...names: string[]): Promise<Principal> {
  const { accountId, environmentId } = first
  const email = `${tail()}@example.com`.toLowerCase()
  let id = ''
  for (const name of names) {
    const tx = begin({ accountId, actorId: 'us_usr_X' })
    const { id: spaceId, ...parts } = GRANTS[name]!()
    const spaces = [{ id: spaceId, workbooks: undefined, sheets: undefined, ...parts }]
    id = (await guests.addGuest(tx, { environmentId, email, name: 'G', spaces })).id
    await tx.commit()
  }
  return (await access.guestPrincipal({ actorId: id, environmentId }))!
}

/** Everything the caller may do, as the pipeline decides it: `files:read file of first`. */
async function rightsOf(caller: Principal): Promise<string[]> {
  const rights: string[] = []
  for (const { name, scope, id, read } of things)
    for (const permission of asked.get(scope)!) {
      const allowed = principals.permitted(caller, permission, scope)
      const loaded =
        allowed &&
        (await scopes.loadScope(scope, allowed, id, scope === 'channel' ? undefined : read).catch(() => undefined))
      if (loaded) rights.push(`${permission} ${name}`)
    }
  return rights.sort()
}

const alone = new Map<string, string[]>()
const rightsOfOne = async (name: string): Promise<string[]> => {
  const known = alone.get(name) ?? (await rightsOf(await guestWith(name)))
  alone.set(name, known)
  return known
}

describe('the rights of a guest with two grants', () => {
  const pairs = NAMES.flatMap((one) => NAMES.map((two) => [one, two] as const))
  it.each(pairs)('%s, then %s: are those of each grant, no fewer and no more', async (one, two) => {
    const [ofOne, ofTwo] = [await rightsOfOne(one), await rightsOfOne(two)]
    expect(await rightsOf(await guestWith(one, two))).toEqual([...new Set([...ofOne, ...ofTwo])].sort())
  })

  it('differ between a whole space and parts of it', async () => {
    const whole = await rightsOfOne('a whole space')
    for (const right of [
      'files:write file of first',
      'events:read channel of first',
      'documents:read document of second',
    ])
      expect(whole).toContain(right)
    const part = await rightsOfOne('a workbook of it')
    expect(part.filter((right) => !whole.includes(right))).toEqual([])
    expect(part.some((right) => /^(files|events|documents|canvases):/.test(right))).toBe(false)
  })
})

describe('may', () => {
  it('says of each space what the grant there allows', async () => {
    const { accountId, environmentId } = first
    const caller = await guestWith('a whole space', 'a workbook of the other space')
    const at = (spaceId: string) => principals.may(caller, 'files:read', { accountId, environmentId, spaceId })
    expect([at(first.spaceId), at(other.spaceId)]).toEqual([true, false])
    expect(principals.may(caller, 'files:read')).toBe(true)
    expect(principals.may(caller, 'spaces:write')).toBe(false)
  })
})
