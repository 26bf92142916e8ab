/**
 * What can be done with a thing once it is made, as links of an OpenAPI document: derived from the paths and shapes of the
 * endpoints alone. What POST makes at `/spaces` is what `{spaceId}` in another path, query or body means. Pure.
 */
import { type Contract, pathOf } from '../../schemas/endpoint.ts'
import { type Json, schemaOf } from './json-schema.ts'

export interface Link {
  operationId: string
  /** `path.spaceId` or `query.spaceId`, and where its value comes from. */
  parameters: Record<string, string>
  /** What of the body comes from the answer; the rest is the caller's. */
  requestBody?: Record<string, string>
}

/** Of the schema of an object, what it has by name. */
type Properties = Record<string, Shape & { items?: Shape }>
interface Shape extends Json {
  properties?: Properties
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** The name by which others call what the endpoint makes, as their paths have it; undefined where it makes nothing. */
export function madeBy(contract: Contract, endpoints: readonly Contract[]): string | undefined {
  if (contract.method !== 'POST') return undefined
  const below = `${pathOf(contract)}/{`
  const one = endpoints
    .map(pathOf)
    .find((path) => path.startsWith(below) && path.indexOf('}') >= 0 && isOne(path, below))
  return one && namesIn(one).at(-1)
}

const isOne = (path: string, below: string): boolean => /^\w+\}$/.test(path.slice(below.length))

/**
 * Where the ids of an answer stand: of what was made, and of what came with it, as the sheets of a workbook do. What has an
 * endpoint of its own that makes it was there before.
 */
function idsIn(contract: Contract, made: string, endpoints: readonly Contract[]): Record<string, string> {
  if (contract.reply === 'bytes') return {}
  const reply = schemaOf(contract.reply, 'output') as Shape
  const { data } = reply.properties ?? {}
  const [at, thing]: [string, Shape] = data?.items ? ['/data/0', data.items] : data ? ['/data', data] : ['', reply]
  if (!thing.properties?.id) return {}
  const pointers: Record<string, string> = { [made]: `${at}/id` }
  for (const [name, { items }] of Object.entries(thing.properties)) {
    const one = `${name.slice(0, -1)}Id`
    const isNew = () => !endpoints.some((each) => madeBy(each, endpoints) === one)
    if (name.endsWith('s') && items?.properties?.id && isNew()) pointers[one] = `${at}/${name}/0/id`
  }
  return Object.fromEntries(Object.entries(pointers).map(([name, pointer]) => [name, `$response.body#${pointer}`]))
}

/** The links of what an endpoint answers; none unless it makes something. */
export function linksOf(contract: Contract, endpoints: readonly Contract[]): Record<string, Link> {
  const made = madeBy(contract, endpoints)
  if (made === undefined) return {}
  const ids = idsIn(contract, made, endpoints)
  const known = Object.fromEntries(namesIn(pathOf(contract)).map((name) => [name, `$request.path.${name}`]))
  // A thing that others call no more than `id` is meant only below its own path.
  const others = made === 'id' ? endpoints.filter((each) => pathOf(each).startsWith(pathOf(contract))) : endpoints
  const found = others.flatMap((each) => {
    const link = each === contract ? undefined : linkTo(each, ids, known)
    return link ? [[each.id, link] as const] : []
  })
  return Object.fromEntries(found)
}

/** Undefined where nothing of the answer is of use there, or its path needs more than is known. */
function linkTo(to: Contract, ids: Record<string, string>, known: Record<string, string>): Link | undefined {
  const inPath = namesIn(pathOf(to)).map((name) => [name, ids[name] ?? known[name]] as const)
  if (inPath.some(([, from]) => from === undefined)) return undefined
  const inQuery = Object.keys(to.query?.shape ?? {}).filter((name) => ids[name])
  const inBody = to.bodyType === undefined ? idsOfBody(to).filter((name) => ids[name]) : []
  const parameters: Record<string, string> = Object.fromEntries([
    ...inPath.map(([name, from]) => [`path.${name}`, from!]),
    ...inQuery.map((name) => [`query.${name}`, ids[name]!]),
  ])
  if (inBody.length === 0 && !Object.values(parameters).some((from) => from.startsWith('$response'))) return undefined
  return {
    operationId: to.id,
    parameters,
    ...(inBody.length > 0 ? { requestBody: Object.fromEntries(inBody.map((name) => [name, ids[name]!])) } : {}),
  }
}

function idsOfBody({ body }: Contract): string[] {
  if (!body) return []
  return Object.keys((schemaOf(body, 'input') as Shape).properties ?? {})
}
