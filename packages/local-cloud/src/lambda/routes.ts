import { REGION } from '../service.ts'
import { createPresignedUrl } from '../signature/signature.ts'
import { parseFunctionName } from './names.ts'
import * as operations from './operations.ts'
import { type HttpResponse, parseJson, toJsonResponse } from './wire.ts'

export interface LambdaRequest {
  name: string
  detail: string
  query: URLSearchParams
  headers: NodeJS.Dict<string | string[]>
  body: Buffer
}

export interface Route {
  method: string
  path: RegExp
  handle(components: operations.LambdaComponents, request: LambdaRequest): HttpResponse | Promise<HttpResponse>
}

const FUNCTION = '/functions/(?<name>[^/]+)'

function defineRoute(method: string, path: string, handle: Route['handle']): Route {
  return { method, path: new RegExp(`^${path}/?$`), handle }
}

const LINK_SECONDS = 600

const noContent: HttpResponse = { status: 204 }

export const routes: Route[] = [
  defineRoute('POST', '/2015-03-31/functions', (components, { body }) =>
    toJsonResponse(201, operations.createFunction(components, parseJson(body))),
  ),
  defineRoute('GET', '/2015-03-31/functions', (components, { query }) =>
    toJsonResponse(200, operations.listFunctions(components, query.get('Marker'), query.get('MaxItems'))),
  ),
  defineRoute('GET', `/2015-03-31${FUNCTION}`, (components, { name, headers }) =>
    toJsonResponse(
      200,
      operations.getFunction(components, name, buildPackageUrl(components, `http://${headers.host}`, name)),
    ),
  ),
  defineRoute('DELETE', `/2015-03-31${FUNCTION}`, (components, { name }) => {
    operations.deleteFunction(components, name)
    return noContent
  }),
  defineRoute('GET', `/2015-03-31${FUNCTION}/code`, ({ functions }, { name }) => ({
    status: 200,
    headers: { 'content-type': 'application/zip' },
    body: functions.readPackage(functions.getMutable(name).configuration),
  })),
  defineRoute('PUT', `/2015-03-31${FUNCTION}/code`, (components, { name, body }) =>
    toJsonResponse(200, operations.updateFunctionCode(components, name, parseJson(body))),
  ),
  defineRoute('GET', `/2015-03-31${FUNCTION}/configuration`, (components, { name }) =>
    toJsonResponse(200, operations.getFunctionConfiguration(components, name)),
  ),
  defineRoute('PUT', `/2015-03-31${FUNCTION}/configuration`, (components, { name, body }) =>
    toJsonResponse(200, operations.updateFunctionConfiguration(components, name, parseJson(body))),
  ),
  defineRoute('POST', `/2015-03-31${FUNCTION}/policy`, (components, { name, body }) =>
    toJsonResponse(201, operations.addPermission(components, name, parseJson(body))),
  ),
  defineRoute('DELETE', `/2015-03-31${FUNCTION}/policy/(?<detail>[^/]+)`, (components, { name, detail }) => {
    operations.removePermission(components, name, detail)
    return noContent
  }),
  defineRoute('PUT', `/2019-09-25${FUNCTION}/event-invoke-config`, (components, { name, body }) =>
    toJsonResponse(200, operations.putEventInvokeConfig(components, name, parseJson(body))),
  ),
]

/** As on AWS, anyone with the link can download the package until it expires. */
function buildPackageUrl({ credentials }: operations.LambdaComponents, origin: string, name: string): string {
  const path = `/2015-03-31/functions/${name}/code`
  if (!credentials) return origin + path
  const options = { credentials, region: REGION, service: 'lambda', expiresSeconds: LINK_SECONDS, at: Date.now() }
  return createPresignedUrl(origin, path, options)
}

export function findRoute(table: Route[], method: string, path: string, query: URLSearchParams) {
  for (const route of table) {
    const match = route.method === method ? route.path.exec(path) : null
    if (!match) continue
    const { name = '', detail = '' } = match.groups ?? {}
    return { route, name: name && resolveName(decodeURIComponent(name), query), detail: decodeURIComponent(detail) }
  }
  return undefined
}

function resolveName(reference: string, query: URLSearchParams): string {
  const qualifier = query.get('Qualifier')
  return parseFunctionName(qualifier === null ? reference : `${parseFunctionName(reference)}:${qualifier}`)
}
