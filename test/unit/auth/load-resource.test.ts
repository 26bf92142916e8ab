/** Every scope loads what the caller can see, and returns the same 404 for hidden and missing resources. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { ApiError } from '../../../lib/core/errors.ts'
import { SCOPES, type Scope } from '../../../schemas/access.ts'
import { type AuthCloud, startAuthCloud } from '../../support/auth-cloud.ts'
import {
  AT,
  buildRoleAssignment,
  createGuest,
  createResources,
  createScope,
  createUser,
  newIdSuffix,
  putItem,
  type SeedScope,
} from '../../support/auth-items.ts'

let cloud: AuthCloud
let scopes: typeof import('../../../lib/auth/load-resource.ts')
let here: SeedScope
let otherSpace: SeedScope
let otherWorkbook: SeedScope
let otherEnvironment: SeedScope
let things: Awaited<ReturnType<typeof createResources>>

beforeAll(async () => {
  cloud = await startAuthCloud()
  scopes = await import('../../../lib/auth/load-resource.ts')
  here = await createScope()
  const { accountId, environmentId, spaceId } = here
  otherSpace = await createScope({ accountId, environmentId })
  otherWorkbook = await createScope({ accountId, environmentId, spaceId })
  otherEnvironment = await createScope()
  things = await createResources(here)
}, 60_000)
afterAll(() => cloud.close())

const buildPrincipal = (more: Partial<Principal> = {}): Principal => ({
  accountId: here.accountId,
  actorId: 'us_usr_me',
  role: 'administrator',
  ...more,
})
const buildEnvironmentPrincipal = (environmentId = here.environmentId) =>
  buildPrincipal({ role: 'environment', environmentId })
const buildGuest = (...grants: NonNullable<Principal['grants']>) =>
  buildPrincipal({ role: 'multiSpaceGuest', environmentId: here.environmentId, grants })
const buildMember = (...on: { environmentId?: string; spaceId?: string }[]) =>
  buildPrincipal({ role: 'member', roles: on.map((each) => buildRoleAssignment('administrator', each)) as never })

async function loadError(scope: Scope, by: Principal, id: string | undefined): Promise<string> {
  try {
    await scopes.loadScope(scope, by, id)
    return 'loaded'
  } catch (error) {
    const { status, problems, message } = error as ApiError
    return `${status} ${problems[0]!.key}: ${message.replace(id || '<nothing>', '<id>')}`
  }
}
const canLoad = async (scope: Scope, by: Principal, id: string | undefined) =>
  (await loadError(scope, by, id)) === 'loaded'

const NAMES: Partial<Record<Scope, string>> = {
  agentExport: 'agent export',
  environments: 'environment',
  canvasArea: 'canvas area',
  channel: 'environment or space',
  clip: 'data clip',
  retentionPolicy: 'data retention policy',
}

describe('resource with its own item', () => {
  const getId = (scope: Scope): string =>
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

  it.each([...IN_SPACE, ...IN_ENVIRONMENT])('%s is loaded for its owners, and not found for others', async (scope) => {
    const id = getId(scope)
    for (const by of [
      buildPrincipal(),
      buildEnvironmentPrincipal(),
      buildMember({ environmentId: here.environmentId }),
    ]) {
      const loaded = (await scopes.loadScope(scope, by, id)) as { id: string }
      expect(loaded.id).toBe(id)
    }
    const missing = `404 not-found: There is no ${NAMES[scope] ?? scope} <id>.`
    const nothing = `${id.slice(0, -1)}!`
    for (const by of [
      buildPrincipal({ accountId: otherEnvironment.accountId }),
      buildEnvironmentPrincipal(otherEnvironment.environmentId),
      buildPrincipal({ role: 'embedded', environmentId: here.environmentId, spaceId: otherSpace.spaceId }),
      buildGuest({ id: otherSpace.spaceId }),
      buildGuest(),
      buildMember({ environmentId: here.environmentId, spaceId: otherSpace.spaceId }),
      buildMember({ environmentId: otherEnvironment.environmentId }),
      buildMember(),
    ]) {
      expect(await loadError(scope, by, id)).toBe(missing)
      expect(await loadError(scope, by, nothing)).toBe(missing)
    }
    expect(await loadError(scope, buildPrincipal(), undefined)).toBe(`400 ${scope}Id: is required`)
  })

  it.each(IN_SPACE)('%s is loaded for callers with its space', async (scope) => {
    const { environmentId, spaceId } = here
    for (const by of [
      buildPrincipal({ role: 'embedded', environmentId, spaceId }),
      buildGuest({ id: spaceId }),
      buildGuest({ id: otherSpace.spaceId }, { id: spaceId }),
      buildMember({ environmentId, spaceId }),
    ])
      expect(await canLoad(scope, by, getId(scope))).toBe(true)
  })

  it.each([...IN_SPACE, ...IN_ENVIRONMENT])(
    '%s is loaded for a guest with parts of a space if it is in one of them',
    async (scope) => {
      const { spaceId, workbookId, sheetId } = here
      const inParts = IN_WORKBOOK.includes(scope)
      const anyPart = scope === 'space'
      expect(await canLoad(scope, buildGuest({ id: spaceId, workbooks: [{ id: workbookId }] }), getId(scope))).toBe(
        inParts || anyPart,
      )
      const inSheet = inParts && scope !== 'workbook' && scope !== 'clip'
      expect(await canLoad(scope, buildGuest({ id: spaceId, sheets: [{ id: sheetId }] }), getId(scope))).toBe(
        inSheet || anyPart,
      )
      for (const parts of [
        { workbooks: [{ id: otherWorkbook.workbookId }] },
        { sheets: [{ id: otherWorkbook.sheetId }] },
        { workbooks: [] },
      ])
        expect(await canLoad(scope, buildGuest({ id: spaceId, ...parts }), getId(scope))).toBe(anyPart)
      const both = buildGuest({ id: spaceId, workbooks: [{ id: otherWorkbook.workbookId }], sheets: [{ id: sheetId }] })
      expect(await canLoad(scope, both, getId(scope))).toBe(inSheet || anyPart)
    },
  )
})

describe('app scope', () => {
  it('is visible to members of its account, but not to guests', async () => {
    const { spaceId } = here
    for (const by of [
      buildPrincipal(),
      buildEnvironmentPrincipal(),
      buildMember({ environmentId: otherEnvironment.environmentId }),
    ])
      expect(await canLoad('app', by, things.app)).toBe(true)
    const missing = '404 not-found: There is no app <id>.'
    expect(await loadError('app', buildGuest({ id: spaceId }), things.app)).toBe(missing)
    expect(await loadError('app', buildPrincipal({ accountId: otherEnvironment.accountId }), things.app)).toBe(missing)
    expect(await loadError('app', buildPrincipal(), 'us_app_none')).toBe(missing)
    expect(await loadError('app', buildPrincipal(), undefined)).toBe('404 not-found: There is no app .')
  })
})

describe('account scope', () => {
  it("is always the caller's own account", async () => {
    const loaded = await scopes.loadScope('account', buildPrincipal(), otherEnvironment.accountId)
    expect(loaded.id).toBe(here.accountId)
    expect(await loadError('account', buildPrincipal({ accountId: 'us_acc_none' }), undefined)).toBe(
      '404 not-found: There is no account us_acc_none.',
    )
  })
})

describe('environment scope', () => {
  it("is the requested one or the caller's own, within the account", async () => {
    const { environmentId } = here
    expect((await scopes.loadScope('environment', buildPrincipal(), environmentId)).id).toBe(environmentId)
    expect((await scopes.loadScope('environment', buildEnvironmentPrincipal(), undefined)).id).toBe(environmentId)
    expect(await canLoad('environment', buildEnvironmentPrincipal(), environmentId)).toBe(true)
    expect(await loadError('environment', buildPrincipal(), undefined)).toBe(
      '400 environmentId: is required because this token is not limited to one environment',
    )
    const missing = '404 not-found: There is no environment <id>.'
    for (const by of [
      buildPrincipal({ accountId: otherEnvironment.accountId }),
      buildEnvironmentPrincipal(otherEnvironment.environmentId),
    ])
      expect(await loadError('environment', by, environmentId)).toBe(missing)
    expect(await loadError('environment', buildPrincipal(), 'us_env_none')).toBe(missing)
    expect(await canLoad('environment', buildMember({ environmentId }), environmentId)).toBe(true)
    expect(await loadError('environment', buildMember({ environmentId, spaceId: here.spaceId }), environmentId)).toBe(
      missing,
    )
    expect(await loadError('environment', buildMember(), environmentId)).toBe(missing)
    expect(await canLoad('environment', buildPrincipal({ environmentId, spaceId: here.spaceId }), environmentId)).toBe(
      true,
    )
  })

  it('is one of all environments the caller can use', async () => {
    const { accountId, environmentId } = here
    const { environmentId: second } = await createScope({ accountId })
    const listEnvironmentIds = async (by: Principal, id?: string) =>
      (await scopes.loadScope('environments', by, id)).map((each) => each.id).toSorted()
    expect(await listEnvironmentIds(buildPrincipal())).toEqual([environmentId, second].toSorted())
    expect(await listEnvironmentIds(buildPrincipal(), second)).toEqual([second])
    expect(await listEnvironmentIds(buildEnvironmentPrincipal())).toEqual([environmentId])
    expect(await listEnvironmentIds(buildEnvironmentPrincipal(), environmentId)).toEqual([environmentId])
    const missing = '404 not-found: There is no environment <id>.'
    expect(await loadError('environments', buildEnvironmentPrincipal(), second)).toBe(missing)
    expect(await loadError('environments', buildPrincipal(), otherEnvironment.environmentId)).toBe(missing)
    const roles = buildMember({ environmentId }, { environmentId, spaceId: here.spaceId }, { environmentId: second })
    expect(await listEnvironmentIds(roles)).toEqual([environmentId, second].toSorted())
    expect(await listEnvironmentIds(roles, second)).toEqual([second])
    expect(await listEnvironmentIds(buildMember({ environmentId, spaceId: here.spaceId }))).toEqual([environmentId])
    expect(await listEnvironmentIds(buildMember())).toEqual([])
    expect(await listEnvironmentIds(buildMember({ environmentId: otherEnvironment.environmentId }))).toEqual([])
    expect(
      await loadError(
        'environments',
        buildMember({ environmentId: otherEnvironment.environmentId }),
        otherEnvironment.environmentId,
      ),
    ).toBe(missing)
    expect(await loadError('environments', buildMember({ environmentId }), second)).toBe(missing)
    expect(await listEnvironmentIds(buildMember({}, { environmentId }))).toEqual([environmentId])
  })
})

describe('commit scope', () => {
  it('finds a commit by its sheet', async () => {
    const id = `us_vr_${here.sheetId.slice('us_sh_'.length)}_17`
    expect((await scopes.loadScope('commit', buildPrincipal(), id)).id).toBe(here.sheetId)
    expect(await canLoad('commit', buildGuest({ id: here.spaceId, sheets: [{ id: here.sheetId }] }), id)).toBe(true)
    const missing = '404 not-found: There is no commit <id>.'
    expect(await loadError('commit', buildGuest({ id: otherSpace.spaceId }), id)).toBe(missing)
    expect(
      await loadError('commit', buildGuest({ id: here.spaceId, sheets: [{ id: otherWorkbook.sheetId }] }), id),
    ).toBe(missing)
    expect(await loadError('commit', buildPrincipal({ accountId: otherEnvironment.accountId }), id)).toBe(missing)
    expect(await loadError('commit', buildPrincipal(), 'us_vr_none_1')).toBe(missing)
    expect(await loadError('commit', buildPrincipal(), undefined)).toBe('400 commitId: is required')
  })
})

describe('job source scope', () => {
  it('depends on the type of the job', async () => {
    const { spaceId, workbookId, sheetId } = here
    for (const [kind, id] of Object.entries({
      space: spaceId,
      workbook: workbookId,
      sheet: sheetId,
      file: things.file,
      document: things.document,
      agent: things.agent,
    })) {
      const loaded = (await scopes.loadScope('resource', buildPrincipal(), id)) as unknown as Record<
        string,
        { id: string }
      >
      expect(loaded.kind).toBe(kind)
      expect(loaded[kind]!.id).toBe(id)
      expect(await loadError('resource', buildPrincipal({ accountId: otherEnvironment.accountId }), id)).toBe(
        `404 not-found: There is no ${kind} <id>.`,
      )
    }
    expect(await loadError('resource', buildPrincipal(), things.job)).toBe('404 not-found: There is no resource <id>.')
    expect(await loadError('resource', buildPrincipal(), undefined)).toBe('400 source: is required')
    const part = buildGuest({ id: spaceId, workbooks: [{ id: workbookId }] })
    expect(await loadError('resource', part, spaceId)).toBe('404 not-found: There is no space <id>.')
    expect(await canLoad('space', part, spaceId)).toBe(true)
  })
})

describe('channel scope', () => {
  it('is an environment for callers with all of it, or a space', async () => {
    const { environmentId, spaceId, workbookId } = here
    for (const by of [buildPrincipal(), buildEnvironmentPrincipal(), buildMember({ environmentId })]) {
      expect(await scopes.loadScope('channel', by, environmentId)).toEqual({ environmentId })
      expect(await scopes.loadScope('channel', by, spaceId)).toEqual({ spaceId })
    }
    const none = '404 not-found: There is no environment or space <id>.'
    const embedded = buildPrincipal({ role: 'embedded', environmentId, spaceId })
    expect(await scopes.loadScope('channel', embedded, spaceId)).toEqual({ spaceId })
    expect(await loadError('channel', embedded, environmentId)).toBe(none)
    expect(await scopes.loadScope('channel', buildGuest({ id: spaceId }), spaceId)).toEqual({ spaceId })
    expect(await loadError('channel', buildGuest({ id: spaceId }), environmentId)).toBe(none)
    expect(await loadError('channel', buildPrincipal(), here.sheetId)).toBe(none)
    expect(await loadError('channel', buildPrincipal(), undefined)).toBe('400 scope: is required')
    const part = buildGuest({ id: spaceId, workbooks: [{ id: workbookId }] })
    expect(await loadError('channel', part, spaceId)).toBe('404 not-found: There is no space <id>.')
    expect(await loadError('channel', buildPrincipal({ accountId: otherEnvironment.accountId }), environmentId)).toBe(
      '404 not-found: There is no environment <id>.',
    )
  })
})

describe('people scopes', () => {
  it('guests see themselves, other callers the guests of their spaces', async () => {
    const { environmentId, spaceId } = here
    const one = await createGuest(here, [{ id: spaceId }])
    const missing = '404 not-found: There is no guest <id>.'
    for (const by of [
      buildPrincipal(),
      buildEnvironmentPrincipal(),
      { ...buildGuest({ id: spaceId }), actorId: one.id },
      buildMember({ environmentId, spaceId }),
      buildPrincipal({ role: 'embedded', environmentId, spaceId }),
    ])
      expect(await canLoad('guest', by, one.id)).toBe(true)
    for (const by of [
      buildGuest({ id: spaceId }),
      buildPrincipal({ accountId: otherEnvironment.accountId }),
      buildEnvironmentPrincipal(otherEnvironment.environmentId),
      buildMember({ environmentId, spaceId: otherSpace.spaceId }),
      buildPrincipal({ role: 'embedded', environmentId, spaceId: otherSpace.spaceId }),
    ])
      expect(await loadError('guest', by, one.id)).toBe(missing)
    expect(await loadError('guest', buildPrincipal(), undefined)).toBe('404 not-found: There is no guest .')
    expect(await loadError('guest', buildPrincipal(), 'us_g_none')).toBe(missing)
    const nowhere = await createGuest(here, [])
    expect(scopes.canSeeGuest(buildEnvironmentPrincipal(), nowhere)).toBe(true)
    expect(scopes.canSeeGuest(buildMember({ environmentId, spaceId }), nowhere)).toBe(false)
    expect(scopes.canSeeGuest(buildMember({ environmentId }), nowhere)).toBe(true)
  })

  it('users see those of their account, or themselves', async () => {
    const { accountId, environmentId } = here
    const [one, other] = [await createUser(accountId, []), await createUser(accountId, [])]
    const missing = '404 not-found: There is no user <id>.'
    expect(await canLoad('user', buildPrincipal(), one.id)).toBe(true)
    const self = { ...buildMember({ environmentId }), actorId: one.id }
    expect(await canLoad('user', self, one.id)).toBe(true)
    expect(await loadError('user', self, other.id)).toBe(missing)
    expect(await loadError('user', buildPrincipal({ accountId: otherEnvironment.accountId }), one.id)).toBe(missing)
    expect(await loadError('user', buildEnvironmentPrincipal(), one.id)).toBe(missing)
    expect(await loadError('user', buildPrincipal(), undefined)).toBe('404 not-found: There is no user .')
    expect(await loadError('user', self, undefined)).toBe('404 not-found: There is no user .')
  })

  it('tokens are visible only to their users', async () => {
    const id = `pat_${newIdSuffix()}`
    await putItem('token', { id, accountId: here.accountId, userId: 'us_usr_me', name: 'T', createdAt: AT, hash: 'h' })
    expect(await canLoad('token', buildPrincipal(), id)).toBe(true)
    const missing = '404 not-found: There is no token <id>.'
    expect(await loadError('token', buildPrincipal({ actorId: 'us_usr_other' }), id)).toBe(missing)
    expect(await loadError('token', buildPrincipal(), 'pat_none')).toBe(missing)
    expect(await loadError('token', buildPrincipal(), undefined)).toBe('404 not-found: There is no token .')
  })
})

describe('any scope', () => {
  it('returns not found for an id that is too long, without a read', async () => {
    cloud.reset()
    for (const scope of SCOPES) {
      const told = await loadError(scope, buildPrincipal(), 'x'.repeat(201))
      expect(told).toBe(`404 not-found: There is no ${NAMES[scope] ?? scope} ${'x'.repeat(200)}.`)
      expect(await loadError(scope, buildPrincipal(), '')).toBe(`404 not-found: There is no ${NAMES[scope] ?? scope} .`)
    }
    expect(cloud.requests).toEqual([])
    expect(await loadError('space', buildPrincipal(), 'x'.repeat(200))).toMatch(/^404/)
    expect(cloud.requests).toEqual(['GetItem'])
  })
})

describe('list', () => {
  it('keeps the resources the caller can see', () => {
    const { accountId, environmentId, spaceId, workbookId } = here
    const things = [
      { accountId, environmentId, spaceId, workbookId },
      { accountId, environmentId, spaceId: otherSpace.spaceId, workbookId: otherSpace.workbookId },
      { accountId: otherEnvironment.accountId, environmentId: otherEnvironment.environmentId },
    ]
    expect(things.filter(scopes.visibleTo(buildPrincipal()))).toEqual(things.slice(0, 2))
    expect(things.filter(scopes.visibleTo(buildGuest({ id: spaceId })))).toEqual(things.slice(0, 1))
    expect(things.filter(scopes.visibleTo(buildGuest({ id: spaceId, workbooks: [{ id: 'other' }] })))).toEqual([])
    expect(scopes.canSeeSpace(buildGuest({ id: spaceId, workbooks: [{ id: 'other' }] }), things[0]!)).toBe(true)
  })

  it('contains spaces and workbooks at their own locations', () => {
    const found = { id: 'i', accountId: 'a' } as never
    expect(scopes.locateSpace(found)).toMatchObject({ accountId: 'a', spaceId: 'i' })
    expect(scopes.locateWorkbook(found)).toMatchObject({ accountId: 'a', workbookId: 'i' })
  })
})
