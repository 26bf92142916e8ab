/** How each kind of resource is stored: its key strings, and the conditions of its writes. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { decompressJson } from '../../../lib/core/compressed-json.ts'
import type { ListDefinition } from '../../../lib/table/keys.ts'
import type { PutWrite, Write } from '../../../lib/table/write.ts'
import { startAuthCloud } from '../../support/auth-cloud.ts'

/** The keys of each kind: `pk`, then the lists in `gsi1` and `gsi2`. The sort keys are `-` and the id. */
const KEYS: Record<string, string[]> = {
  account: ['account#{id}'],
  action: ['action#{id}', '{spaceId}#action', '{targetId}#action'],
  agent: ['agent#{id}', '{environmentId}#agent', '{delivery}#agent'],
  'agent-export': ['agent-export#{id}', '{environmentId}#agent-export', '{agentId}#agent-export'],
  'agent-version': ['agent-version#{id}', '{agentId}#agent-version'],
  app: ['app#{id}', '{accountId}#app'],
  'app-constraint': ['app-constraint#{id}', '{appId}#app-constraint'],
  'app-constraint-version': ['app-constraint-version#{id}', '{constraintId}#app-constraint-version'],
  assistant: ['assistant#{environmentId}'],
  audit: ['audit#{id}', '{accountId}#audit'],
  autobuild: ['autobuild#{id}', '{environmentId}#autobuild'],
  canvas: ['canvas#{id}', '{spaceId}#canvas', '{environmentId}#canvas'],
  'canvas-area': ['canvas-area#{id}', '{canvasId}#canvas-area', '{environmentId}#canvas-area'],
  'change-preview': ['change-preview#{id}'],
  clip: ['clip#{id}', '{environmentId}#clip', '{sourceSheetId}#clip'],
  cursor: ['cursor#{id}'],
  document: ['document#{id}', '{spaceId}#document'],
  entitlements: ['entitlements#{id}'],
  environment: ['environment#{id}', '{accountId}#environment'],
  event: ['event#{id}', '{environmentId}#event', '{spaceId}#event'],
  execution: ['execution#{id}', '{environmentId}#execution', '{agentId}#execution'],
  'execution-failure': ['execution-failure#{id}', '{environmentId}#execution-failure', '{agentId}#execution-failure'],
  'execution-log': ['execution-log#{id}'],
  file: ['file#{id}', '{spaceId}#file', '{environmentId}#file'],
  guest: ['guest#{id}', '{environmentId}#guest'],
  invitation: ['invitation#{id}', '{place}#invitation', '{person}#invitation'],
  job: ['job#{id}', '{environmentId}#job', '{spaceId}#job'],
  jobplan: ['jobplan#{jobId}'],
  key: ['key#{id}', '{environmentId}#key'],
  'mapping-memory': [
    'mapping-memory#{id}',
    '{environmentId}#mapping-memory',
    '{accountId}#{destination}#mapping-memory',
  ],
  message: ['message#{id}', '{threadId}#message'],
  'oauth-code': ['oauth-code#{id}'],
  program: ['program#{id}', '{environmentId}#program', '{spaceId}#program'],
  proposal: ['proposal#{id}', '{threadId}#proposal'],
  question: ['question#{jobId}'],
  recipe: ['recipe#{id}', '{environmentId}#recipe'],
  'retention-policy': ['retention-policy#{id}', '{environmentId}#retention-policy'],
  secret: ['secret#{id}', '{environmentId}#secret'],
  series: ['series#{id}', '{ownerId}#series'],
  sheet: ['sheet#{id}', '{workbookId}#sheet'],
  'signing-keys': ['signing-keys#{id}'],
  snapshot: ['snapshot#{id}', '{sheetId}#snapshot'],
  space: ['space#{id}', '{environmentId}#space'],
  sso: ['sso#{id}'],
  thread: ['thread#{id}', '{environmentId}#thread', '{spaceId}#thread'],
  token: ['token#{id}', '{userId}#token'],
  user: ['user#{id}', '{accountId}#user'],
  view: ['view#{id}', '{sheetId}#view'],
  webhook: ['webhook#{id}', '{environmentId}#webhook'],
  'webhook-delivery': [
    'webhook-delivery#{id}',
    '{webhookId}#webhook-delivery',
    '{webhookId}#{status}#webhook-delivery',
  ],
  workbook: ['workbook#{id}', '{spaceId}#workbook', '{environmentId}#workbook'],
}

interface Definition {
  name: string
  shape: z.ZodObject
  id?: string
  by: Record<string, ListDefinition>
}
interface StoredEntity {
  name: string
  create(item: object): PutWrite
  replace(before: object, after: object): PutWrite
  remove(before: object): Write
}
const kinds = vi.hoisted(() => new Map<string, { definition: unknown; stored: unknown }>())

vi.mock('../../../lib/table/entity.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../lib/table/entity.ts')>()
  const entity: typeof original.entity = (definition) => {
    const stored = original.entity(definition)
    kinds.set(definition.name, { definition, stored })
    return stored
  }
  return { ...original, entity }
})

const LIB = resolve(import.meta.dirname, '../../../lib')

await startAuthCloud()
const paths = readdirSync(LIB, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
for (const path of paths.map((path) => resolve(LIB, path)))
  if (/= entity\(/.test(readFileSync(path, 'utf8'))) await import(path)

function getKind(name: string) {
  const { definition, stored } = kinds.get(name)!
  return { definition: definition as Definition, stored: stored as StoredEntity }
}

/** Each field's value is its name in braces, so that keys read as templates. */
const createSample = ({ shape }: Definition): Record<string, string> =>
  Object.fromEntries(Object.keys(shape.shape).map((field) => [field, `{${field}}`]))

describe('stored resource', () => {
  it('has a row in the table above for each kind', () => {
    expect([...kinds.keys()].sort()).toEqual(Object.keys(KEYS))
  })

  it.each(Object.entries(KEYS))('%s has the keys %j', (name, [pk, ...lists]) => {
    const { definition, stored } = getKind(name)
    const sample = createSample(definition)
    const id = sample[definition.id ?? 'id']
    const listKeys = lists.map((key, i) => ({ [`gsi${i + 1}pk`]: key, [`gsi${i + 1}sk`]: id }))
    const keys = Object.assign({ pk, sk: '-' }, ...listKeys)
    const withUnpackedItem = ({ Put }: PutWrite) => {
      const { packed, ...item } = Put.Item
      return {
        Put: {
          ...Put,
          Item: packed instanceof Uint8Array ? { ...(decompressJson(packed) as object), ...item } : Put.Item,
        },
      }
    }
    expect(withUnpackedItem(stored.create(sample))).toEqual({
      Put: {
        TableName: expect.any(String),
        Item: { ...sample, rev: 1, ...keys },
        ConditionExpression: 'attribute_not_exists(pk) AND attribute_not_exists(sk)',
      },
    })
    const unchanged = { ConditionExpression: 'rev = :rev', ExpressionAttributeValues: { ':rev': 4 } }
    expect(withUnpackedItem(stored.replace({ ...sample, rev: 4 }, sample))).toEqual({
      Put: { TableName: expect.any(String), Item: { ...sample, rev: 5, ...keys }, ...unchanged },
    })
    expect(stored.remove({ ...sample, rev: 4 })).toEqual({
      Delete: { TableName: expect.any(String), Key: { pk, sk: '-' }, ...unchanged },
    })
  })
})

describe('entity', () => {
  const create = async () => {
    const { entity } = await import('../../../lib/table/entity.ts')
    const { transact } = await import('../../../lib/table/transact.ts')
    const Shape = z.object({
      id: z.string(),
      parentId: z.string(),
      status: z.string().optional(),
      note: z.string().optional(),
    })
    const things = entity({
      name: `thing-${kinds.size}`,
      shape: Shape,
      by: { ofParent: { index: 'gsi1', of: ['parentId'] }, withStatus: { index: 'gsi2', of: ['parentId', 'status'] } },
    })
    const insert = async (id: string, more: { status?: string | undefined; note?: string } = {}) => {
      await transact([things.create({ id, parentId: 'p', ...more })])
      return (await things.get(id))!
    }
    return { things, insert, transact }
  }
  const listIds = async (list: Promise<{ id: string }[]>) => (await list).map(({ id }) => id)

  it('stores fields compressed, except those that an update may change, and reads items from before', async () => {
    const { transact } = await import('../../../lib/table/transact.ts')
    const { entity } = await import('../../../lib/table/entity.ts')
    const shape = z.object({
      id: z.string(),
      state: z.string(),
      note: z.string(),
      parts: z.array(z.string()).optional(),
    })
    const packed = entity({ name: 'packed', shape, by: {}, unpacked: ['state', 'parts'] })
    const plain = entity({ name: 'packed', shape, by: {} })
    const item = { id: '1', state: 'ready', note: 'long '.repeat(300) }
    const write = packed.create(item)
    expect(Object.keys(write.Put.Item).sort()).toEqual(['packed', 'pk', 'rev', 'sk', 'state'])
    await transact([write])
    const TableName = write.Put.TableName
    const Update = {
      ...{ TableName, Key: packed.buildKey('1'), UpdateExpression: 'SET #state = :done, parts = :parts' },
      ...{
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':done': 'done', ':parts': ['a'] },
      },
    }
    await transact([{ Update }])
    expect(await packed.get('1')).toEqual({ ...item, state: 'done', parts: ['a'], rev: 1 })
    await transact([plain.create({ ...item, id: '2' })])
    expect(await packed.get('2')).toEqual({ ...item, id: '2', rev: 1 })
  })

  it('creates an item once', async () => {
    const { insert } = await create()
    expect(await insert('1')).toEqual({ id: '1', parentId: 'p', rev: 1 })
    await expect(insert('1')).rejects.toThrow('The condition of write 0 failed.')
  })

  it('replaces and removes only the revision that was read', async () => {
    const { things, insert, transact } = await create()
    const first = await insert('1')
    await transact([things.replace(first, { ...first, note: 'changed' })])
    const second = await things.get('1')
    expect(second).toEqual({ ...first, note: 'changed', rev: 2 })
    await expect(transact([things.replace(first, first)])).rejects.toThrow('The condition of write 0 failed.')
    await expect(transact([things.remove(first)])).rejects.toThrow('The condition of write 0 failed.')
    await transact([things.remove(second!)])
    expect(await things.get('1')).toBeUndefined()
  })

  it('lists an item only where it has every field of the list', async () => {
    const { things, insert, transact } = await create()
    const open = await insert('1', { status: 'open' })
    await insert('2', { status: undefined })
    expect(await listIds(things.list('ofParent', { parentId: 'p' }))).toEqual(['1', '2'])
    expect(await listIds(things.list('withStatus', { parentId: 'p', status: 'open' }))).toEqual(['1'])
    await transact([things.replace(open, { id: '1', parentId: 'p' })])
    expect(await listIds(things.list('withStatus', { parentId: 'p', status: 'open' }))).toEqual([])
    await expect(things.list('withStatus', { parentId: 'p' })).rejects.toThrow('needs parentId and status')
  })

  it('lists in both orders, from an id, up to a limit', async () => {
    const { things, insert } = await create()
    for (const id of ['1', '2', '3', '4']) await insert(id)
    const list = (options: object) => listIds(things.list('ofParent', { parentId: 'p' }, options))
    expect(await list({ order: 'desc' })).toEqual(['4', '3', '2', '1'])
    expect(await list({ after: '2' })).toEqual(['3', '4'])
    expect(await list({ after: '3', order: 'desc' })).toEqual(['2', '1'])
    expect(await list({ after: '1', limit: 2 })).toEqual(['2', '3'])
  })

  it('counts the items without a field', async () => {
    const { things, insert } = await create()
    await insert('1')
    await insert('2', { note: 'n' })
    await insert('3')
    expect(await things.count('ofParent', { parentId: 'p' }, 'note')).toBe(2)
  })

  it('does not store fields that its shape lacks', async () => {
    const { things } = await create()
    const write = things.create({ id: '1', parentId: 'p', unknown: true } as { id: string; parentId: string })
    expect(Object.keys(write.Put.Item)).toEqual(['id', 'parentId', 'rev', 'pk', 'sk', 'gsi1pk', 'gsi1sk'])
  })
})
