/** Generates examples from JSON Schemas, with values derived from property names. Deterministic and pure. */
import { ID_PREFIXES, type Kind } from '../../schemas/kit/ids.ts'
import type { Json } from './json-schema.ts'

const TIME = '2026-03-01T09:30:00.000Z'
const ULID = '01KJM5Z8Q4T7W9XA2BCDEFGH3J'

const ID_KINDS: Record<string, Kind> = {
  accessTokenId: 'token',
  actorId: 'user',
  clipRecordId: 'record',
  clipSheetId: 'sheet',
  createdBy: 'user',
  dataClipId: 'clip',
  mappingId: 'rule',
  otherMappingId: 'rule',
  otherUserId: 'user',
  ownerId: 'user',
  parentId: 'job',
  primaryWorkbookId: 'workbook',
  resourceId: 'space',
  sourceSheetId: 'sheet',
  destinationSheetId: 'sheet',
  targetId: 'sheet',
  userRoleId: 'actorRole',
  guestRoleId: 'actorRole',
  agentRoleId: 'actorRole',
  versionId: 'commit',
}

const TEXTS: Record<string, string> = {
  clientId: 'https://client.example/metadata.json',
  refreshToken: 'pat_2f4K9x_refresh',
  accessToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c191c3JfMDEifQ.c2lnbmF0dXJl',
  description: 'Purpose of the resource',
  domain: 'space',
  email: 'ada@example.com',
  filename: 'people.csv',
  fileName: 'people.csv',
  href: 'https://example.com/',
  key: 'email',
  label: 'E-mail',
  message: 'must be an email address',
  mimetype: 'text/csv',
  month: '2026-03',
  name: 'Spring import',
  namespace: 'portal',
  operation: 'submit',
  password: 'correct horse battery staple',
  slug: 'people',
  title: 'Welcome',
  token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c19nXzAxIn0.c2lnbmF0dXJl',
  topic: 'records:updated',
  url: 'https://example.com/hook',
}

const buildId = (kind: Kind): string => `${ID_PREFIXES[kind]}_${ULID}`

function inferKind(name: string): Kind | undefined {
  if (name in ID_KINDS) return ID_KINDS[name]
  const bare = /^(.+)Ids?$/.exec(name)?.[1]
  if (bare === undefined) return undefined
  if (bare in ID_PREFIXES) return bare as Kind
  const last = /[A-Z][a-z]+$/.exec(bare)?.[0].toLowerCase()
  return last !== undefined && last in ID_PREFIXES ? (last as Kind) : undefined
}

function findSampleText(name: string, owner: Kind | undefined): string | undefined {
  if (name === 'id') return buildId(owner ?? 'space')
  if (name === 'source') return owner === 'job' ? buildId('workbook') : 'is-email'
  const kind = inferKind(name)
  if (kind) return buildId(kind)
  if (/(At|Time|since|until|expires)$/.test(name)) return TIME
  return TEXTS[name]
}

interface Schema extends Json {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
}

interface SampleContext {
  name: string
  owner: Kind | undefined
  depth: number
}

const MAX_OPTIONAL_DEPTH = 4

export const buildSample = (schema: Json, owner?: Kind): unknown =>
  sampleSchema(schema as Schema, { name: '', owner, depth: 0 })

function sampleSchema(schema: Schema, context: SampleContext): unknown {
  const fixedKey = ['const', 'example', 'default'].find((key) => schema[key] !== undefined)
  if (fixedKey !== undefined) return schema[fixedKey]
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const member = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  if (member) return sampleSchema(member, context)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleSchema(part, context)))
  const type = [schema.type].flat().find((candidate) => candidate !== 'null')
  if (type === 'object' || schema.properties) return sampleObject(schema, context)
  if (type === 'array') return sampleList(schema, context)
  if (type === 'string') return sampleString(schema, context)
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return sampleNumber(schema)
  return context.name === 'metadata' ? {} : 'anything'
}

function sampleObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  context: SampleContext,
): unknown {
  const included = Object.entries(properties).filter(
    ([name, property]) =>
      required.includes(name) || (context.depth <= MAX_OPTIONAL_DEPTH && hasKnownSample(name, property, context)),
  )
  const entries = included.map(([name, property]) => [name, sampleSchema(property, childContext(name, context))])
  if (entries.length === 0 && typeof additionalProperties === 'object' && context.name !== 'metadata')
    return { email: sampleSchema(additionalProperties, { ...context, name: 'email', depth: context.depth + 1 }) }
  return Object.fromEntries(entries)
}

const childContext = (name: string, { owner, depth }: SampleContext): SampleContext => ({
  name,
  owner: name === 'data' ? owner : (inferKind(`${name.replace(/s$/, '')}Id`) ?? owner),
  depth: depth + 1,
})

const hasKnownSample = (name: string, schema: Schema, { owner }: SampleContext): boolean => {
  const type = [schema.type].flat()[0] ?? schema.anyOf?.[0]?.type
  if (/At$/.test(name) && name !== 'createdAt' && name !== 'updatedAt') return false
  return type === 'string' && (schema.enum !== undefined || findSampleText(name, owner) !== undefined)
}

function sampleList({ items, prefixItems, minItems = 1 }: Schema, context: SampleContext): unknown[] {
  if (prefixItems) return prefixItems.map((item) => sampleSchema(item, context))
  if (!items || items.not) return []
  const candidate = sampleSchema(items, { ...context, depth: context.depth + 1 })
  return Array.from({ length: Math.max(1, Number(minItems)) }, () => candidate)
}

function sampleString(
  { format, pattern, maxLength = Number.POSITIVE_INFINITY, minLength = 0 }: Schema,
  context: SampleContext,
): string {
  if (format === 'date-time') return TIME
  if (format === 'email') return TEXTS.email!
  if (format === 'uri') return TEXTS.url!
  const text = findSampleText(context.name, context.owner) ?? context.name
  const preferred = typeof pattern === 'string' ? findMatch(pattern, text) : text
  return preferred.padEnd(Number(minLength), 'x').slice(0, Number(maxLength))
}

const PATTERN_CANDIDATES = ['1', '0', 'EMAIL', 'email', 'a', '2026-03-01', '17723574000000000', '/', 'a@b.co']

const findMatch = (pattern: string, text: string): string =>
  [text, ...PATTERN_CANDIDATES].find((candidate) => new RegExp(pattern, 'u').test(candidate)) ?? text

function sampleNumber({ minimum, exclusiveMinimum, maximum }: Schema): number {
  const lowerBound = Number(minimum ?? (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + 1))
  const preferred = Math.max(1, lowerBound)
  return maximum === undefined ? preferred : Math.min(preferred, Number(maximum))
}

export function fillPlaceholders<T>(value: T): T {
  const text = JSON.stringify(value)
  return JSON.parse(
    text.replace(/\{([a-zA-Z]+)\}/g, (_, name: string) =>
      JSON.stringify(findSampleText(name, undefined) ?? `{${name}}`).slice(1, -1),
    ),
  ) as T
}
