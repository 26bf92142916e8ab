/** Every scope hands over what the caller may know of, and the same 404 for what is hidden and what is not there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { ApiError } from '../../../lib/core/errors.ts'
import { SCOPES, type Scope } from '../../../schemas/access.ts'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'
import { AT, guest, held, type Place, place, put, tail, thingsIn, user } from '../../support/auth-items.ts'

let cloud: AuthCloud
let scopes: typeof import('../../../lib/auth/scopes.ts')
let here: Place
/** Another space and workbook of the environment. */
let beside: Place
/** Another workbook of the space. */
let next: Place
let elsewhere: Place
let things: Awaited<ReturnType<typeof thingsIn>>

beforeAll(async () => {
  cloud = await authCloud()
  scopes = await import('../../../lib/auth/scopes.ts')
  here = await place()
  const { accountId, environmentId, spaceId } = here
  beside = await place({ accountId, environmentId })
  next = await place({ accountId, environmentId, spaceId })
  elsewhere = await place()
  things = await thingsIn(here)
}, 60_000)
afterAll(() => cloud.close())

const principal = (more: Partial<Principal> = {}): Principal => ({
  accountId: here.accountId,
  actorId: 'us_usr_me',
  role: 'administrator',
  ...more,
})
const inEnvironment = (environmentId = here.environmentId) => principal({ role: 'environment', environmentId })
const guestOf = (...grants: NonNullable<Principal['grants']>) =>
  principal({ role: 'multiSpaceGuest', environmentId: here.environmentId, grants })
const member = (...on: { environmentId?: string; spaceId?: string }[]) =>
  principal({ role: 'member', roles: on.map((each) => held('administrator', each)) as never })

/** The error of a scope, told without the id. */
async function refused(scope: Scope, by: Principal, id: string | undefined): Promise<string> {
  try {
    await scopes.loadScope(scope, by, id)
    return 'loaded'
  } catch (error) {
    const { status, problems, message } = error as ApiError
    return `${status} ${problems[0]!.key}: ${message.replace(id || '<nothing>', '<id>')}`
  }
}
const loads = async (scope: Scope, by: Principal, id: string | undefined) => (await refused(scope, by, id)) === 'loaded'

/** What a scope's things are called in its 404. */
const NAMES: Partial<Record<Scope, string>> = {
  canvasArea: 'canvas area',
  clip: 'data clip',
  retentionPolicy: 'data retention policy',
}

describe('a thing with its own item', () => {
  const idOf = (scope: Scope): string =>
    (({ space: here.spaceId, workbook: here.workbookId, sheet: here.sheetId, ...things }) as Record<string, string>)[
      scope
    ]!
  const IN_SPACE: Scope[] = [
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
  ]
  const IN_ENVIRONMENT: Scope[] = ['agent', 'secret', 'webhook', 'retentionPolicy']
  const IN_WORKBOOK: Scope[] = ['workbook', 'sheet', 'snapshot', 'action', 'clip', 'view', 'program']

  it.each([...IN_SPACE, ...IN_ENVIRONMENT])(
    '%s is loaded for those whose it is, and is not there for others',
    async (scope) => {
      const id = idOf(scope)
      for (const by of [principal(), inEnvironment(), member({ environmentId: here.environmentId })]) {
        const loaded = (await scopes.loadScope(scope, by, id)) as { id: string }
        expect(loaded.id).toBe(id)
      }
      const missing = `404 not-found: There is no ${NAMES[scope] ?? scope} <id>.`
      const nothing = `${id.slice(0, -1)}!`
      for (const by of [
        principal({ accountId: elsewhere.accountId }),
        inEnvironment(elsewhere.environmentId),
        principal({ role: 'embedded', environmentId: here.environmentId, spaceId: beside.spaceId }),
        guestOf({ id: beside.spaceId }),
        guestOf(),
        member({ environmentId: here.environmentId, spaceId: beside.spaceId }),
        member({ environmentId: elsewhere.environmentId }),
        member(),
      ]) {
        expect(await refused(scope, by, id)).toBe(missing)
        expect(await refused(scope, by, nothing)).toBe(missing)
      }
      expect(await refused(scope, principal(), undefined)).toBe(`400 ${NAMES[scope] ?? scope}Id: is required`)
    },
  )

  it.each(IN_SPACE)('%s is loaded for those who have its space', async (scope) => {
    const { environmentId, spaceId } = here
    for (const by of [
      principal({ role: 'embedded', environmentId, spaceId }),
      guestOf({ id: spaceId }),
      guestOf({ id: beside.spaceId }, { id: spaceId }),
      member({ environmentId, spaceId }),
    ])
      expect(await loads(scope, by, idOf(scope))).toBe(true)
  })

  it.each([...IN_SPACE, ...IN_ENVIRONMENT])(
    '%s is loaded for a guest of parts where it is in one of them',
    async (scope) => {
      const { spaceId, workbookId, sheetId } = here
      const inParts = IN_WORKBOOK.includes(scope)
      const anyPart = scope === 'space'
      expect(await loads(scope, guestOf({ id: spaceId, workbooks: [{ id: workbookId }] }), idOf(scope))).toBe(
        inParts || anyPart,
      )
      const inSheet = inParts && scope !== 'workbook' && scope !== 'clip'
      expect(await loads(scope, guestOf({ id: spaceId, sheets: [{ id: sheetId }] }), idOf(scope))).toBe(
        inSheet || anyPart,
      )
      for (const parts of [
        { workbooks: [{ id: next.workbookId }] },
        { sheets: [{ id: next.sheetId }] },
        { workbooks: [] },
      ])
        expect(await loads(scope, guestOf({ id: spaceId, ...parts }), idOf(scope))).toBe(anyPart)
      const both = guestOf({ id: spaceId, workbooks: [{ id: next.workbookId }], sheets: [{ id: sheetId }] })
      expect(await loads(scope, both, idOf(scope))).toBe(inSheet || anyPart)
    },
  )
})

describe('an app', () => {
  it('is known to those who work in its account, and to no guest', async () => {
    const { spaceId } = here
    for (const by of [principal(), inEnvironment(), member({ environmentId: elsewhere.environmentId })])
      expect(await loads('app', by, things.app)).toBe(true)
    const missing = '404 not-found: There is no app <id>.'
    expect(await refused('app', guestOf({ id: spaceId }), things.app)).toBe(missing)
    expect(await refused('app', principal({ accountId: elsewhere.accountId }), things.app)).toBe(missing)
    expect(await refused('app', principal(), 'us_app_none')).toBe(missing)
    expect(await refused('app', principal(), undefined)).toBe('404 not-found: There is no app .')
  })
})

describe('an account', () => {
  it('is the own one, whatever is named', async () => {
    const loaded = await scopes.loadScope('account', principal(), elsewhere.accountId)
    expect(loaded.id).toBe(here.accountId)
    expect(await refused('account', principal({ accountId: 'us_acc_none' }), undefined)).toBe(
      '404 not-found: There is no account us_acc_none.',
    )
  })
})

describe('an environment', () => {
  it('is the one that is named or lived in, of the own account', async () => {
    const { environmentId } = here
    expect((await scopes.loadScope('environment', principal(), environmentId)).id).toBe(environmentId)
    expect((await scopes.loadScope('environment', inEnvironment(), undefined)).id).toBe(environmentId)
    expect(await loads('environment', inEnvironment(), environmentId)).toBe(true)
    expect(await refused('environment', principal(), undefined)).toBe(
      '400 environmentId: is required: this token is not bound to one environment',
    )
    const missing = '404 not-found: There is no environment <id>.'
    for (const by of [principal({ accountId: elsewhere.accountId }), inEnvironment(elsewhere.environmentId)])
      expect(await refused('environment', by, environmentId)).toBe(missing)
    expect(await refused('environment', principal(), 'us_env_none')).toBe(missing)
    expect(await loads('environment', member({ environmentId }), environmentId)).toBe(true)
    // A role on one of its spaces is none on the environment.
    expect(await refused('environment', member({ environmentId, spaceId: here.spaceId }), environmentId)).toBe(missing)
    expect(await refused('environment', member(), environmentId)).toBe(missing)
    // The space of an embedded token, and a guest's grants, say nothing of the environment itself.
    expect(await loads('environment', principal({ environmentId, spaceId: here.spaceId }), environmentId)).toBe(true)
  })

  it('is one of all those the caller can use', async () => {
    const { accountId, environmentId } = here
    const { environmentId: second } = await place({ accountId })
    const idsFor = async (by: Principal, id?: string) =>
      (await scopes.loadScope('environments', by, id)).map((each) => each.id).toSorted()
    expect(await idsFor(principal())).toEqual([environmentId, second].toSorted())
    expect(await idsFor(principal(), second)).toEqual([second])
    expect(await idsFor(inEnvironment())).toEqual([environmentId])
    expect(await idsFor(inEnvironment(), environmentId)).toEqual([environmentId])
    const missing = '404 not-found: There is no environment <id>.'
    expect(await refused('environments', inEnvironment(), second)).toBe(missing)
    expect(await refused('environments', principal(), elsewhere.environmentId)).toBe(missing)
    const roles = member({ environmentId }, { environmentId, spaceId: here.spaceId }, { environmentId: second })
    expect(await idsFor(roles)).toEqual([environmentId, second].toSorted())
    expect(await idsFor(roles, second)).toEqual([second])
    expect(await idsFor(member({ environmentId, spaceId: here.spaceId }))).toEqual([environmentId])
    expect(await idsFor(member())).toEqual([])
    expect(await idsFor(member({ environmentId: elsewhere.environmentId }))).toEqual([])
    expect(
      await refused('environments', member({ environmentId: elsewhere.environmentId }), elsewhere.environmentId),
    ).toBe(missing)
    expect(await refused('environments', member({ environmentId }), second)).toBe(missing)
    // A role of the account names none.
    expect(await idsFor(member({}, { environmentId }))).toEqual([environmentId])
  })
})

describe('a commit', () => {
  it('is found by its sheet', async () => {
    const id = `us_vr_${here.sheetId.slice('us_sh_'.length)}_17`
    expect((await scopes.loadScope('commit', principal(), id)).id).toBe(here.sheetId)
    expect(await loads('commit', guestOf({ id: here.spaceId, sheets: [{ id: here.sheetId }] }), id)).toBe(true)
    const missing = '404 not-found: There is no commit <id>.'
    expect(await refused('commit', guestOf({ id: beside.spaceId }), id)).toBe(missing)
    expect(await refused('commit', guestOf({ id: here.spaceId, sheets: [{ id: next.sheetId }] }), id)).toBe(missing)
    expect(await refused('commit', principal({ accountId: elsewhere.accountId }), id)).toBe(missing)
    expect(await refused('commit', principal(), 'us_vr_none_1')).toBe(missing)
    expect(await refused('commit', principal(), undefined)).toBe('400 commitId: is required')
  })
})

describe('what a job is about', () => {
  it('is told by its kind', async () => {
    const { spaceId, workbookId, sheetId } = here
    for (const [kind, id] of Object.entries({
      space: spaceId,
      workbook: workbookId,
      sheet: sheetId,
      file: things.file,
      document: things.document,
      agent: things.agent,
    })) {
      const loaded = (await scopes.loadScope('resource', principal(), id)) as unknown as Record<string, { id: string }>
      expect(loaded.kind).toBe(kind)
      expect(loaded[kind]!.id).toBe(id)
      expect(await refused('resource', principal({ accountId: elsewhere.accountId }), id)).toBe(
        `404 not-found: There is no ${kind} <id>.`,
      )
    }
    expect(await refused('resource', principal(), things.job)).toBe('404 not-found: There is no resource <id>.')
    expect(await refused('resource', principal(), undefined)).toBe('400 source: is required')
    // Of a space as a whole, one who has a part of it knows nothing.
    const part = guestOf({ id: spaceId, workbooks: [{ id: workbookId }] })
    expect(await refused('resource', part, spaceId)).toBe('404 not-found: There is no space <id>.')
    expect(await loads('space', part, spaceId)).toBe(true)
  })
})

describe('a channel', () => {
  it('is an environment for those who have it as a whole, and a space', async () => {
    const { environmentId, spaceId, workbookId } = here
    for (const by of [principal(), inEnvironment(), member({ environmentId })]) {
      expect(await scopes.loadScope('channel', by, environmentId)).toEqual({ environmentId })
      expect(await scopes.loadScope('channel', by, spaceId)).toEqual({ spaceId })
    }
    const none = '404 not-found: There is no environment or space <id>.'
    const embedded = principal({ role: 'embedded', environmentId, spaceId })
    expect(await scopes.loadScope('channel', embedded, spaceId)).toEqual({ spaceId })
    expect(await refused('channel', embedded, environmentId)).toBe(none)
    expect(await scopes.loadScope('channel', guestOf({ id: spaceId }), spaceId)).toEqual({ spaceId })
    expect(await refused('channel', guestOf({ id: spaceId }), environmentId)).toBe(none)
    expect(await refused('channel', principal(), here.sheetId)).toBe(none)
    expect(await refused('channel', principal(), undefined)).toBe('400 scope: is required')
    const part = guestOf({ id: spaceId, workbooks: [{ id: workbookId }] })
    expect(await refused('channel', part, spaceId)).toBe('404 not-found: There is no space <id>.')
    expect(await refused('channel', principal({ accountId: elsewhere.accountId }), environmentId)).toBe(
      '404 not-found: There is no environment <id>.',
    )
  })
})

describe('people', () => {
  it('guests know of themselves, others of the guests of what they have', async () => {
    const { environmentId, spaceId } = here
    const one = await guest(here, [{ id: spaceId }])
    const missing = '404 not-found: There is no guest <id>.'
    for (const by of [
      principal(),
      inEnvironment(),
      { ...guestOf({ id: spaceId }), actorId: one.id },
      member({ environmentId, spaceId }),
      principal({ role: 'embedded', environmentId, spaceId }),
    ])
      expect(await loads('guest', by, one.id)).toBe(true)
    for (const by of [
      guestOf({ id: spaceId }),
      principal({ accountId: elsewhere.accountId }),
      inEnvironment(elsewhere.environmentId),
      member({ environmentId, spaceId: beside.spaceId }),
      principal({ role: 'embedded', environmentId, spaceId: beside.spaceId }),
    ])
      expect(await refused('guest', by, one.id)).toBe(missing)
    expect(await refused('guest', principal(), undefined)).toBe('404 not-found: There is no guest .')
    expect(await refused('guest', principal(), 'us_g_none')).toBe(missing)
    const nowhere = await guest(here, [])
    expect(scopes.knowsGuest(inEnvironment(), nowhere)).toBe(true)
    expect(scopes.knowsGuest(member({ environmentId, spaceId }), nowhere)).toBe(false)
    expect(scopes.knowsGuest(member({ environmentId }), nowhere)).toBe(true)
  })

  it('users know of those of their account, or of themselves', async () => {
    const { accountId, environmentId } = here
    const [one, other] = [await user(accountId, []), await user(accountId, [])]
    const missing = '404 not-found: There is no user <id>.'
    expect(await loads('user', principal(), one.id)).toBe(true)
    const self = { ...member({ environmentId }), actorId: one.id }
    expect(await loads('user', self, one.id)).toBe(true)
    expect(await refused('user', self, other.id)).toBe(missing)
    expect(await refused('user', principal({ accountId: elsewhere.accountId }), one.id)).toBe(missing)
    expect(await refused('user', inEnvironment(), one.id)).toBe(missing)
    expect(await refused('user', principal(), undefined)).toBe('404 not-found: There is no user .')
    expect(await refused('user', self, undefined)).toBe('404 not-found: There is no user .')
  })

  it('tokens are known to their users alone', async () => {
    const id = `pat_${tail()}`
    await put('token', { id, accountId: here.accountId, userId: 'us_usr_me', name: 'T', createdAt: AT, hash: 'h' })
    expect(await loads('token', principal(), id)).toBe(true)
    const missing = '404 not-found: There is no token <id>.'
    expect(await refused('token', principal({ actorId: 'us_usr_other' }), id)).toBe(missing)
    expect(await refused('token', principal(), 'pat_none')).toBe(missing)
    expect(await refused('token', principal(), undefined)).toBe('404 not-found: There is no token .')
  })
})

describe('any scope', () => {
  it('has no thing by an id that is longer than ids are, and reads nothing for it', async () => {
    cloud.reset()
    for (const scope of SCOPES) {
      const told = await refused(scope, principal(), 'x'.repeat(201))
      expect(told).toBe(`404 not-found: There is no ${scope} ${'x'.repeat(200)}.`)
      expect(await refused(scope, principal(), '')).toBe(`404 not-found: There is no ${scope} .`)
    }
    expect(cloud.requests).toEqual([])
    expect(await refused('space', principal(), 'x'.repeat(200))).toMatch(/^404/)
    expect(cloud.requests).toEqual(['GetItem'])
  })
})

describe('a list', () => {
  it('keeps what the caller may know of', () => {
    const { accountId, environmentId, spaceId, workbookId } = here
    const things = [
      { accountId, environmentId, spaceId, workbookId },
      { accountId, environmentId, spaceId: beside.spaceId, workbookId: beside.workbookId },
      { accountId: elsewhere.accountId, environmentId: elsewhere.environmentId },
    ]
    expect(things.filter(scopes.reachedBy(principal()))).toEqual(things.slice(0, 2))
    expect(things.filter(scopes.reachedBy(guestOf({ id: spaceId })))).toEqual(things.slice(0, 1))
    expect(things.filter(scopes.reachedBy(guestOf({ id: spaceId, workbooks: [{ id: 'other' }] })))).toEqual([])
    expect(scopes.reachesSpace(guestOf({ id: spaceId, workbooks: [{ id: 'other' }] }), things[0]!)).toBe(true)
  })

  it('has spaces and workbooks at the places they are themselves', () => {
    const found = { id: 'i', accountId: 'a' } as never
    expect(scopes.placeOfSpace(found)).toMatchObject({ accountId: 'a', spaceId: 'i' })
    expect(scopes.placeOfWorkbook(found)).toMatchObject({ accountId: 'a', workbookId: 'i' })
  })
})
