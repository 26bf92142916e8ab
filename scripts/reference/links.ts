/** OpenAPI links from created resources to operations that accept their ids, derived from the contracts. Pure. */
import { buildPath, type Contract } from '../../schemas/kit/endpoint.ts'
import { type Json, toJsonSchema } from './json-schema.ts'

export interface Link {
  operationId: string
  parameters: Record<string, string>
  requestBody?: Record<string, string>
}

type Properties = Record<string, Shape & { items?: Shape }>
interface Shape extends Json {
  properties?: Properties
}

const extractParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

export function findCreatedIdName(contract: Contract, endpoints: readonly Contract[]): string | undefined {
  if (contract.method !== 'POST') return undefined
  const itemPrefix = `${buildPath(contract)}/{`
  const itemPath = endpoints
    .map(buildPath)
    .find((path) => path.startsWith(itemPrefix) && path.indexOf('}') >= 0 && isItemPath(path, itemPrefix))
  return itemPath && extractParameters(itemPath).at(-1)
}

const isItemPath = (path: string, itemPrefix: string): boolean => /^\w+\}$/.test(path.slice(itemPrefix.length))

/** Includes ids of children such as a workbook's sheets, but not of resources with a create endpoint. */
function buildIdExpressions(
  contract: Contract,
  createdIdName: string,
  endpoints: readonly Contract[],
): Record<string, string> {
  if (contract.reply === 'bytes') return {}
  const reply = toJsonSchema(contract.reply, 'output') as Shape
  const { data } = reply.properties ?? {}
  const [pointerPrefix, itemSchema]: [string, Shape] = data?.items
    ? ['/data/0', data.items]
    : data
      ? ['/data', data]
      : ['', reply]
  if (!itemSchema.properties?.id) return {}
  const pointers: Record<string, string> = { [createdIdName]: `${pointerPrefix}/id` }
  for (const [name, { items }] of Object.entries(itemSchema.properties)) {
    const childIdName = `${name.slice(0, -1)}Id`
    const isNew = () => !endpoints.some((endpoint) => findCreatedIdName(endpoint, endpoints) === childIdName)
    if (name.endsWith('s') && items?.properties?.id && isNew()) pointers[childIdName] = `${pointerPrefix}/${name}/0/id`
  }
  return Object.fromEntries(Object.entries(pointers).map(([name, pointer]) => [name, `$response.body#${pointer}`]))
}

export function buildLinks(contract: Contract, endpoints: readonly Contract[]): Record<string, Link> {
  const createdIdName = findCreatedIdName(contract, endpoints)
  if (createdIdName === undefined) return {}
  const ids = buildIdExpressions(contract, createdIdName, endpoints)
  const pathExpressions = Object.fromEntries(
    extractParameters(buildPath(contract)).map((name) => [name, `$request.path.${name}`]),
  )
  const targets =
    createdIdName === 'id'
      ? endpoints.filter((endpoint) => buildPath(endpoint).startsWith(buildPath(contract)))
      : endpoints
  const links = targets.flatMap((endpoint) => {
    const link = endpoint === contract ? undefined : buildLink(endpoint, ids, pathExpressions)
    return link ? [[endpoint.id, link] as const] : []
  })
  return Object.fromEntries(links)
}

function buildLink(
  target: Contract,
  ids: Record<string, string>,
  pathExpressions: Record<string, string>,
): Link | undefined {
  const inPath = extractParameters(buildPath(target)).map((name) => [name, ids[name] ?? pathExpressions[name]] as const)
  if (inPath.some(([, expression]) => expression === undefined)) return undefined
  const inQuery = Object.keys(target.query?.shape ?? {}).filter((name) => ids[name])
  const inBody = target.bodyType === undefined ? getBodyProperties(target).filter((name) => ids[name]) : []
  const parameters: Record<string, string> = Object.fromEntries([
    ...inPath.map(([name, expression]) => [`path.${name}`, expression!]),
    ...inQuery.map((name) => [`query.${name}`, ids[name]!]),
  ])
  if (inBody.length === 0 && !Object.values(parameters).some((expression) => expression.startsWith('$response')))
    return undefined
  return {
    operationId: target.id,
    parameters,
    ...(inBody.length > 0 ? { requestBody: Object.fromEntries(inBody.map((name) => [name, ids[name]!])) } : {}),
  }
}

function getBodyProperties({ body }: Contract): string[] {
  if (!body) return []
  return Object.keys((toJsonSchema(body, 'input') as Shape).properties ?? {})
}
