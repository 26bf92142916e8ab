import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { pack } from '../../lib/entities/packed.ts'
import { packPayload } from '../../lib/events/packed-payload.ts'

export const AT = '2026-01-02T03:04:05.678Z'
const BOTH = { createdAt: AT, updatedAt: AT }

let created = 0
export const newIdSuffix = (): string => `${process.pid}T${++created}`.padStart(26, '0').slice(-26).toUpperCase()

export async function putItem(
  name: string,
  item: { id: string } & Record<string, unknown>,
  lists: Partial<Record<'gsi1' | 'gsi2', string>> = {},
): Promise<void> {
  const { documents, getTableName } = await import('../../lib/table/client.ts')
  const keys = Object.entries(lists).map(([index, facet]) => ({
    [`${index}pk`]: `${facet}#${name}`,
    [`${index}sk`]: item.id,
  }))
  const stored = { rev: 1, ...item, pk: `${name}#${item.id}`, sk: '-' }
  await documents.send(new PutCommand({ TableName: getTableName(), Item: Object.assign(stored, ...keys) }))
}

export async function deleteItem(name: string, id: string): Promise<void> {
  const { documents, getTableName } = await import('../../lib/table/client.ts')
  const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb')
  await documents.send(new DeleteCommand({ TableName: getTableName(), Key: { pk: `${name}#${id}`, sk: '-' } }))
}

export interface SeedScope {
  accountId: string
  environmentId: string
  spaceId: string
  workbookId: string
  sheetId: string
}

export const newScopeIds = (scope: Partial<SeedScope> = {}): SeedScope => ({
  accountId: `us_acc_${newIdSuffix()}`,
  environmentId: `us_env_${newIdSuffix()}`,
  spaceId: `us_sp_${newIdSuffix()}`,
  workbookId: `us_wb_${newIdSuffix()}`,
  sheetId: `us_sh_${newIdSuffix()}`,
  ...scope,
})

export const buildEnvironmentItem = ({ accountId, environmentId }: SeedScope, more: object = {}) => ({
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

export const buildSpaceItem = ({ accountId, environmentId, spaceId }: SeedScope, more: object = {}) => ({
  id: spaceId,
  accountId,
  environmentId,
  name: 'Space',
  guestAuthentication: 'magic_link' as const,
  rev: 1,
  ...BOTH,
  ...more,
})

export async function createScope(scope: Partial<SeedScope> = {}, more: { environment?: object; space?: object } = {}) {
  const ids = newScopeIds(scope)
  const { accountId, environmentId, spaceId, workbookId, sheetId } = ids
  if (!scope.accountId) await putItem('account', { id: accountId, name: 'Account', metadata: {}, ...BOTH })
  if (!scope.environmentId)
    await putItem('environment', buildEnvironmentItem(ids, more.environment), { gsi1: accountId })
  if (!scope.spaceId) await putItem('space', buildSpaceItem(ids, more.space), { gsi1: environmentId })
  if (!scope.workbookId)
    await putItem('workbook', { id: workbookId, accountId, environmentId, spaceId, name: 'Workbook', ...BOTH })
  await putItem('sheet', {
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

export async function createResources({ accountId, environmentId, spaceId, workbookId, sheetId }: SeedScope) {
  const owner = { accountId, environmentId }
  const inSpace = { ...owner, spaceId }
  const inSheet = { ...inSpace, workbookId, sheetId }
  const ids = {
    snapshot: `us_ss_${newIdSuffix()}`,
    file: `us_fl_${newIdSuffix()}`,
    job: `us_jb_${newIdSuffix()}`,
    event: `us_evt_${newIdSuffix()}`,
    agent: `us_ag_${newIdSuffix()}`,
    secret: `us_sec_${newIdSuffix()}`,
    webhook: `us_wh_${newIdSuffix()}`,
    retentionPolicy: `us_drp_${newIdSuffix()}`,
    document: `us_dc_${newIdSuffix()}`,
    action: `us_act_${newIdSuffix()}`,
    thread: `us_th_${newIdSuffix()}`,
    canvas: `us_cv_${newIdSuffix()}`,
    canvasArea: `us_cva_${newIdSuffix()}`,
    clip: `us_clip_${newIdSuffix()}`,
    view: `us_vi_${newIdSuffix()}`,
    app: `us_app_${newIdSuffix()}`,
    program: `us_mp_${newIdSuffix()}`,
  }
  const createdBy = 'us_usr_X'
  const counts = { total: 0, valid: 0, error: 0 }
  await putItem('snapshot', { id: ids.snapshot, ...inSheet, counts, createdBy, createdAt: AT, seq: 0, configId: 'c' })
  await putItem('file', {
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
  await putItem('job', {
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
  await putItem('event', { id: ids.event, ...inSpace, ...told })
  await putItem('agent', buildAgentItem(ids.agent, owner))
  await putItem('secret', { id: ids.secret, ...owner, name: 'S', sealed: '1.x', createdBy, ...BOTH })
  const hook = { url: 'http://127.0.0.1:9/', topics: ['**'], active: true, secrets: [] }
  await putItem('webhook', { id: ids.webhook, ...owner, ...hook, createdBy, ...BOTH })
  await putItem('retention-policy', { id: ids.retentionPolicy, ...owner, type: 'sinceCreated', period: 1, ...BOTH })
  await putItem('document', { id: ids.document, ...inSpace, title: 'T', body: 'B', ...BOTH })
  const config = { operation: 'x', label: 'X' }
  await putItem('action', { id: ids.action, ...inSheet, targetId: sheetId, config, ...BOTH })
  await putItem('thread', { id: ids.thread, ...inSpace, resourceId: spaceId, status: 'ready', ...BOTH })
  await putItem('canvas', { id: ids.canvas, ...inSpace, createdBy, ...BOTH })
  const area = { canvasId: ids.canvas, type: 'sheet', position: 'middle', layout: 'split', visibility: 'visible' }
  await putItem('canvas-area', { id: ids.canvasArea, ...inSpace, ...area, ...BOTH })
  await putItem('clip', buildClipItem({ accountId, environmentId, spaceId, workbookId, sheetId }, { id: ids.clip }))
  await putItem('view', { id: ids.view, ...inSheet, name: 'V', config: {}, createdBy, createdAt: AT })
  const app = { name: 'A', namespace: 'a', type: 'CUSTOM', entity: 'Space', entityPlural: 'Spaces' }
  await putItem('app', { id: ids.app, accountId, ...app, ...BOTH })
  await putItem('program', {
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

export const buildAgentItem = (
  id: string,
  owner: Pick<SeedScope, 'accountId' | 'environmentId'>,
  more: object = {},
) => ({
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

export const buildClipItem = (
  { accountId, environmentId, spaceId, workbookId, sheetId }: SeedScope,
  { id = `us_clip_${newIdSuffix()}`, ...more }: { id?: string; sharedLinkAccess?: 'public' | 'restricted' } = {},
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

export async function createGuest(scope: SeedScope, spaces: object[], more: object = {}) {
  const { Guests } = await import('../../lib/entities/guests.ts')
  const { begin } = await import('../../lib/tx.ts')
  const { accountId, environmentId } = scope
  const id = `us_g_${newIdSuffix()}`
  const created = {
    id,
    accountId,
    environmentId,
    email: `${id}@example.com`.toLowerCase(),
    name: 'Guest',
    ...BOTH,
    ...more,
  }
  const tx = begin({ accountId, actorId: id }, AT)
  Guests.insert(tx, { ...created, spaces: spaces as [] })
  await tx.commit()
  return (await Guests.get(id))!
}

export async function createUser(
  accountId: string,
  actorRoles: object[],
  { password, ...more }: { password?: string; email?: string; [field: string]: unknown } = {},
) {
  const { hashPassword } = await import('../../lib/core/crypto.ts')
  const { Users } = await import('../../lib/entities/users.ts')
  const { UserChanges } = await import('../../lib/entities/user-changes.ts')
  const { begin } = await import('../../lib/tx.ts')
  const id = `us_usr_${newIdSuffix()}`
  const { email = `${id}@example.com`.toLowerCase() } = more
  const passwordHash = password === undefined ? {} : { passwordHash: await hashPassword(email, password) }
  const created = { id, accountId, email, name: 'User', idp: 'wharf', metadata: {}, ...BOTH, ...passwordHash, ...more }
  const tx = begin({ accountId, actorId: id }, AT)
  UserChanges.insert(tx, { ...created, actorRoles: actorRoles as [] })
  await tx.commit()
  return (await Users.get(id))!
}

export const configureSignOn = (accountId: string) =>
  putItem('sso', { id: accountId, issuer: 'https://i.example', clientId: 'c', ...BOTH })

export const buildRoleAssignment = (role: string, on: { environmentId?: string; spaceId?: string } = {}) => ({
  id: `us_acr_${newIdSuffix()}`,
  role,
  ...on,
  createdAt: AT,
})
