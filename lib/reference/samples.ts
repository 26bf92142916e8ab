/**
 * Examples of what a JSON Schema describes. Libraries for this tell a type only ("string"), and ids, times and addresses are plain
 * strings to every client: here names say what stands in them. The same schema gives the same example always. Pure.
 */
import { ID_PREFIXES, type Kind } from '../../schemas/ids.ts'
import type { Json } from './json-schema.ts'

const TIME = '2026-03-01T09:30:00.000Z'
const ULID = '01KJM5Z8Q4T7W9XA2BCDEFGH3J'

/** Names of ids that do not say their kind. */
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
  accessToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c191c3JfMDEifQ.c2lnbmF0dXJl',
  description: 'What it is for',
  domain: 'space',
  email: 'ada@example.com',
  filename: 'people.csv',
  fileName: 'people.csv',
  href: 'https://example.com/',
  key: 'email',
  label: 'E-mail',
  message: 'must be an e-mail address',
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

const idOf = (kind: Kind): string => `${ID_PREFIXES[kind]}_${ULID}`

/** The kind the name of an id tells: `spaceId`, `spaceIds`, `createdByUserId`. */
function kindOfName(name: string): Kind | undefined {
  if (name in ID_KINDS) return ID_KINDS[name]
  const bare = /^(.+)Ids?$/.exec(name)?.[1]
  if (bare === undefined) return undefined
  if (bare in ID_PREFIXES) return bare as Kind
  const last = /[A-Z][a-z]+$/.exec(bare)?.[0].toLowerCase()
  return last !== undefined && last in ID_PREFIXES ? (last as Kind) : undefined
}

/** What a name alone says. */
function textOf(name: string, owner: Kind | undefined): string | undefined {
  if (name === 'id') return idOf(owner ?? 'space')
  if (name === 'source') return owner === 'job' ? idOf('workbook') : 'is-email'
  const kind = kindOfName(name)
  if (kind) return idOf(kind)
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

interface Place {
  /** The property it stands in. */
  name: string
  /** Whose `id` it would be. */
  owner: Kind | undefined
  depth: number
}

/** Further down only what must be there is shown. */
const SHOWN_DEPTH = 4

/**
 * An example of a schema.
 * @param owner of what kind the thing is
 */
export const sampleOf = (schema: Json, owner?: Kind): unknown => sample(schema as Schema, { name: '', owner, depth: 0 })

function sample(schema: Schema, place: Place): unknown {
  const known = ['const', 'example', 'default'].find((key) => schema[key] !== undefined)
  if (known !== undefined) return schema[known]
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const member = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  if (member) return sample(member, place)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sample(part, place)))
  const type = [schema.type].flat().find((one) => one !== 'null')
  if (type === 'object' || schema.properties) return objectOf(schema, place)
  if (type === 'array') return listOf(schema, place)
  if (type === 'string') return stringOf(schema, place)
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return numberOf(schema)
  return place.name === 'metadata' ? {} : 'anything'
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, place: Place): unknown {
  const shown = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) || (place.depth <= SHOWN_DEPTH && isTold(name, property, place)),
  )
  const entries = shown.map(([name, property]) => [name, sample(property, placeOf(name, place))])
  if (entries.length === 0 && typeof additionalProperties === 'object' && place.name !== 'metadata')
    return { email: sample(additionalProperties, { ...place, name: 'email', depth: place.depth + 1 }) }
  return Object.fromEntries(entries)
}

const placeOf = (name: string, { owner, depth }: Place): Place => ({
  name,
  owner: name === 'data' ? owner : (kindOfName(`${name.replace(/s$/, '')}Id`) ?? owner),
  depth: depth + 1,
})

/** Of what may be absent the plain things are shown whose name says what they are. */
const isTold = (name: string, schema: Schema, { owner }: Place): boolean => {
  const type = [schema.type].flat()[0] ?? schema.anyOf?.[0]?.type
  if (/At$/.test(name) && name !== 'createdAt' && name !== 'updatedAt') return false
  return type === 'string' && (schema.enum !== undefined || textOf(name, owner) !== undefined)
}

function listOf({ items, prefixItems, minItems = 1 }: Schema, place: Place): unknown[] {
  if (prefixItems) return prefixItems.map((item) => sample(item, place))
  if (!items || items.not) return []
  const one = sample(items, { ...place, depth: place.depth + 1 })
  return Array.from({ length: Math.max(1, Number(minItems)) }, () => one)
}

function stringOf(
  { format, pattern, maxLength = Number.POSITIVE_INFINITY, minLength = 0 }: Schema,
  place: Place,
): string {
  if (format === 'date-time') return TIME
  if (format === 'email') return TEXTS.email!
  if (format === 'uri') return TEXTS.url!
  const text = textOf(place.name, place.owner) ?? place.name
  const wanted = typeof pattern === 'string' ? fitting(pattern, text) : text
  return wanted.padEnd(Number(minLength), 'x').slice(0, Number(maxLength))
}

/** Texts of the few patterns there are. */
const PATTERNED = ['1', '0', 'EMAIL', 'email', 'a', '2026-03-01', '17723574000000000', '/', 'a@b.co']

const fitting = (pattern: string, text: string): string =>
  [text, ...PATTERNED].find((one) => new RegExp(pattern, 'u').test(one)) ?? text

function numberOf({ minimum, exclusiveMinimum, maximum }: Schema): number {
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + 1))
  const wanted = Math.max(1, least)
  return maximum === undefined ? wanted : Math.min(wanted, Number(maximum))
}

/** Placeholders of a contract's example, `{spaceId}`, as what may stand there. */
export function withIds<T>(value: T): T {
  const text = JSON.stringify(value)
  return JSON.parse(
    text.replace(/\{([a-zA-Z]+)\}/g, (_, name: string) =>
      JSON.stringify(textOf(name, undefined) ?? `{${name}}`).slice(1, -1),
    ),
  ) as T
}
