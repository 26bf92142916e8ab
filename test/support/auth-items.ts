/** Things in the table for tests of `lib/auth`, written as they are stored: one of each in a space of an account. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { pack } from '../../lib/entities/packed.ts'
import { packPayload } from '../../lib/events/id-runs.ts'

export const AT = '2026-01-02T03:04:05.678Z'
const BOTH = { createdAt: AT, updatedAt: AT }

let made = 0
/** What follows an id's prefix; no two are the same in a process. */
export const tail = (): string => `${process.pid}T${++made}`.padStart(26, '0').slice(-26).toUpperCase()

/** Writes an item; `lists` are the facets of its indexes. */
export async function put(
  name: string,
  item: { id: string } & Record<string, unknown>,
  lists: Partial<Record<'gsi1' | 'gsi2', string>> = {},
): Promise<void> {
  const { documents, tableName } = await import('../../lib/table/client.ts')
  const keys = Object.entries(lists).map(([index, facet]) => ({
    [`${index}pk`]: `${facet}#${name}`,
    [`${index}sk`]: item.id,
  }))
  const stored = { rev: 1, ...item, pk: `${name}#${item.id}`, sk: '-', __edb_e__: name, __edb_v__: '1' }
  await documents.send(new PutCommand({ TableName: tableName(), Item: Object.assign(stored, ...keys) }))
}

/** Takes an item away. */
export async function drop(name: string, id: string): Promise<void> {
  const { documents, tableName } = await import('../../lib/table/client.ts')
  const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb')
  await documents.send(new DeleteCommand({ TableName: tableName(), Key: { pk: `${name}#${id}`, sk: '-' } }))
}

export interface Place {
  accountId: string
  environmentId: string
  spaceId: string
  workbookId: string
  sheetId: string
}

export const idsOfPlace = (within: Partial<Place> = {}): Place => ({
  accountId: `us_acc_${tail()}`,
  environmentId: `us_env_${tail()}`,
  spaceId: `us_sp_${tail()}`,
  workbookId: `us_wb_${tail()}`,
  sheetId: `us_sh_${tail()}`,
  ...within,
})

export const environmentItem = ({ accountId, environmentId }: Place, more: object = {}) => ({
  id: environmentId,
  accountId,
  name: 'Environment',
  slug: `slug-${environmentId}`,
  isProd: false,
  guestAuthentication: 'magic_link' as const,
  features: {},
  metadata: {},
  rev: 1,
  ...more,
})

export const spaceItem = ({ accountId, environmentId, spaceId }: Place, more: object = {}) => ({
  id: spaceId,
  accountId,
  environmentId,
  name: 'Space',
  guestAuthentication: 'magic_link' as const,
  rev: 1,
  ...BOTH,
  ...more,
})

/** Account, environment, space, workbook and sheet, within what is there already. */
export async function place(within: Partial<Place> = {}, more: { environment?: object; space?: object } = {}) {
  const ids = idsOfPlace(within)
  const { accountId, environmentId, spaceId, workbookId, sheetId } = ids
  if (!within.accountId) await put('account', { id: accountId, name: 'Account', metadata: {}, ...BOTH })
  if (!within.environmentId) await put('environment', environmentItem(ids, more.environment), { gsi1: accountId })
  if (!within.spaceId) await put('space', spaceItem(ids, more.space), { gsi1: environmentId })
  if (!within.workbookId)
    await put('workbook', { id: workbookId, accountId, environmentId, spaceId, name: 'Workbook', ...BOTH })
  await put('sheet', {
    id: sheetId,
    accountId,
    environmentId,
    spaceId,
    workbookId,
    name: 'Sheet',
    slug: 'sheet',
    config: { name: 'Sheet', slug: 'sheet', fields: [] },
    fields: [],
    position: 0,
    ...BOTH,
  })
  return ids
}

/** One of each thing that a scope guards by its own item, in the place; answers their ids by scope. */
export async function thingsIn({ accountId, environmentId, spaceId, workbookId, sheetId }: Place) {
  const owner = { accountId, environmentId }
  const inSpace = { ...owner, spaceId }
  const inSheet = { ...inSpace, workbookId, sheetId }
  const ids = {
    snapshot: `us_ss_${tail()}`,
    file: `us_fl_${tail()}`,
    job: `us_jb_${tail()}`,
    event: `us_evt_${tail()}`,
    agent: `us_ag_${tail()}`,
    secret: `us_sec_${tail()}`,
    webhook: `us_wh_${tail()}`,
    retentionPolicy: `us_drp_${tail()}`,
    document: `us_dc_${tail()}`,
    action: `us_act_${tail()}`,
    thread: `us_th_${tail()}`,
    canvas: `us_cv_${tail()}`,
    canvasArea: `us_cva_${tail()}`,
    clip: `us_clip_${tail()}`,
    view: `us_vi_${tail()}`,
    app: `us_app_${tail()}`,
    program: `us_mp_${tail()}`,
  }
  const createdBy = 'us_usr_X'
  const counts = { total: 0, valid: 0, error: 0 }
  await put('snapshot', { id: ids.snapshot, ...inSheet, counts, createdBy, createdAt: AT, seq: 0, configId: 'c' })
  await put('file', {
    id: ids.file,
    ...inSpace,
    name: 'f.csv',
    ext: 'csv',
    mimetype: 'text/csv',
    encoding: 'utf8',
    status: 'complete',
    mode: 'import',
    size: 1,
    bytesReceived: 1,
    objectKey: 'k',
    createdBy,
    ...BOTH,
  })
  await put('job', {
    id: ids.job,
    ...inSpace,
    type: 'space',
    operation: 'x',
    source: spaceId,
    status: 'created',
    progress: 0,
    mode: 'foreground',
    createdBy,
    ...BOTH,
  })
  const payload = JSON.stringify(packPayload({}))
  const context = { accountId, environmentId, spaceId, actorId: createdBy }
  const told = { domain: 'space', topic: 'space:created', context, payload, createdAt: AT }
  await put('event', { id: ids.event, ...inSpace, ...told })
  await put('agent', agentItem(ids.agent, owner))
  await put('secret', { id: ids.secret, ...owner, name: 'S', sealed: '1.x', createdBy, ...BOTH })
  const hook = { url: 'http://127.0.0.1:9/', topics: ['**'], active: true, secrets: [] }
  await put('webhook', { id: ids.webhook, ...owner, ...hook, createdBy, ...BOTH })
  await put('retention-policy', { id: ids.retentionPolicy, ...owner, type: 'sinceCreated', period: 1, ...BOTH })
  await put('document', { id: ids.document, ...inSpace, title: 'T', body: 'B', ...BOTH })
  const config = { operation: 'x', label: 'X' }
  await put('action', { id: ids.action, ...inSheet, targetId: sheetId, config, ...BOTH })
  await put('thread', { id: ids.thread, ...inSpace, resourceId: spaceId, status: 'ready', ...BOTH })
  await put('canvas', { id: ids.canvas, ...inSpace, createdBy, ...BOTH })
  const area = { canvasId: ids.canvas, type: 'sheet', position: 'middle', layout: 'split', visibility: 'visible' }
  await put('canvas-area', { id: ids.canvasArea, ...inSpace, ...area, ...BOTH })
  await put('clip', clipItem({ accountId, environmentId, spaceId, workbookId, sheetId }, { id: ids.clip }))
  await put('view', { id: ids.view, ...inSheet, name: 'V', config: {}, createdBy, createdAt: AT })
  const app = { name: 'A', namespace: 'a', type: 'CUSTOM', entity: 'Space', entityPlural: 'Spaces' }
  await put('app', { id: ids.app, accountId, ...app, ...BOTH })
  await put('program', {
    id: ids.program,
    ...inSheet,
    familyId: 'us_mf_X',
    summary: { totalRuleCount: 0, addedRuleCount: 0, deletedRuleCount: 0 },
    createdBy,
    updatedBy: createdBy,
    ...BOTH,
    packed: pack('program', { source: SIDE, destination: SIDE, rules: [] }),
  })
  return ids
}

const SIDE = { name: 'Side', fields: [] }

export const agentItem = (id: string, owner: Pick<Place, 'accountId' | 'environmentId'>, more: object = {}) => ({
  id,
  ...owner,
  slug: id,
  compiler: 'js' as const,
  topics: [],
  isSystem: false,
  status: 'active' as const,
  createdBy: 'us_usr_X',
  functionName: 'f',
  versions: 1,
  rules: 0,
  rev: 1,
  ...BOTH,
  ...more,
})

export const clipItem = (
  { accountId, environmentId, spaceId, workbookId, sheetId }: Place,
  { id = `us_clip_${tail()}`, ...more }: { id?: string; sharedLinkAccess?: 'public' | 'restricted' } = {},
) => ({
  id,
  accountId,
  environmentId,
  spaceId,
  workbookId,
  name: 'Clip',
  sourceSheetId: sheetId,
  clipSheetId: sheetId,
  status: 'open',
  collaborators: [],
  sharedLinkAccess: 'restricted' as 'public' | 'restricted',
  createdBy: 'us_usr_X',
  rev: 1,
  ...BOTH,
  ...more,
})

/** A guest with the spaces, listed as `Guests.insert` lists one. */
export async function guest(within: Place, spaces: object[], more: object = {}) {
  const { Guests } = await import('../../lib/entities/guests.ts')
  const { begin } = await import('../../lib/tx.ts')
  const { accountId, environmentId } = within
  const id = `us_g_${tail()}`
  const made = {
    id,
    accountId,
    environmentId,
    email: `${id}@example.com`.toLowerCase(),
    name: 'Guest',
    ...BOTH,
    ...more,
  }
  const tx = begin({ accountId, actorId: id }, AT)
  Guests.insert(tx, { ...made, spaces: spaces as [] })
  await tx.commit()
  return (await Guests.get(id))!
}

/** A user with the roles, who signs in by the password where there is one. */
export async function user(
  accountId: string,
  actorRoles: object[],
  { password, ...more }: { password?: string; email?: string; [field: string]: unknown } = {},
) {
  const { hashPassword } = await import('../../lib/auth/secrets.ts')
  const { Users } = await import('../../lib/entities/users.ts')
  const { UserChanges } = await import('../../lib/entities/user-changes.ts')
  const { begin } = await import('../../lib/tx.ts')
  const id = `us_usr_${tail()}`
  const { email = `${id}@example.com`.toLowerCase() } = more
  const passwordHash = password === undefined ? {} : { passwordHash: await hashPassword(email, password) }
  const made = { id, accountId, email, name: 'User', idp: 'wharf', metadata: {}, ...BOTH, ...passwordHash, ...more }
  const tx = begin({ accountId, actorId: id }, AT)
  UserChanges.insert(tx, { ...made, actorRoles: actorRoles as [] })
  await tx.commit()
  return (await Users.get(id))!
}

/** A role on the account, an environment or a space. */
export const held = (role: string, on: { environmentId?: string; spaceId?: string } = {}) => ({
  id: `us_acr_${tail()}`,
  role,
  ...on,
  createdAt: AT,
})
