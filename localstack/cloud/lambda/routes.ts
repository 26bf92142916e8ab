/**
 * The paths of the Lambda REST API and the operation behind each. A table; knows nothing of the work itself.
 */
import { REGION } from '../service.ts'
import { presignedUrl } from '../signature/signature.ts'
import { functionName } from './names.ts'
import * as operations from './operations.ts'
import { type Answer, json, parseJson } from './wire.ts'

export interface LambdaRequest {
  /** The function the path names, or an empty string. */
  name: string
  /** What follows it in the path: a statement's id. */
  detail: string
  query: URLSearchParams
  headers: NodeJS.Dict<string | string[]>
  body: Buffer
}

export interface Route {
  method: string
  path: RegExp
  answer(parts: operations.LambdaParts, request: LambdaRequest): Answer | Promise<Answer>
}

const FUNCTION = '/functions/(?<name>[^/]+)'

function route(method: string, path: string, answer: Route['answer']): Route {
  return { method, path: new RegExp(`^${path}/?$`), answer }
}

/** AWS's too. */
const LINK_SECONDS = 600

const noContent: Answer = { status: 204 }

/** Everything but Invoke, which is in `invoke.ts`. The dates are the API's versions. */
export const routes: Route[] = [
  route('POST', '/2015-03-31/functions', (parts, { body }) =>
    json(201, operations.createFunction(parts, parseJson(body))),
  ),
  route('GET', '/2015-03-31/functions', (parts, { query }) =>
    json(200, operations.listFunctions(parts, query.get('Marker'), query.get('MaxItems'))),
  ),
  route('GET', `/2015-03-31${FUNCTION}`, (parts, { name, headers }) =>
    json(200, operations.getFunction(parts, name, packageUrl(parts, `http://${headers.host}`, name))),
  ),
  route('DELETE', `/2015-03-31${FUNCTION}`, (parts, { name }) => {
    operations.deleteFunction(parts, name)
    return noContent
  }),
  // AWS links to its own bucket here; this path is what `Code.Location` names instead.
  route('GET', `/2015-03-31${FUNCTION}/code`, ({ functions }, { name }) => ({
    status: 200,
    headers: { 'content-type': 'application/zip' },
    body: functions.readPackage(functions.getMutable(name).configuration),
  })),
  route('PUT', `/2015-03-31${FUNCTION}/code`, (parts, { name, body }) =>
    json(200, operations.updateFunctionCode(parts, name, parseJson(body))),
  ),
  route('GET', `/2015-03-31${FUNCTION}/configuration`, (parts, { name }) =>
    json(200, operations.getFunctionConfiguration(parts, name)),
  ),
  route('PUT', `/2015-03-31${FUNCTION}/configuration`, (parts, { name, body }) =>
    json(200, operations.updateFunctionConfiguration(parts, name, parseJson(body))),
  ),
  route('POST', `/2015-03-31${FUNCTION}/policy`, (parts, { name, body }) =>
    json(201, operations.addPermission(parts, name, parseJson(body))),
  ),
  route('GET', `/2015-03-31${FUNCTION}/policy`, (parts, { name }) => json(200, operations.getPolicy(parts, name))),
  route('DELETE', `/2015-03-31${FUNCTION}/policy/(?<detail>[^/]+)`, (parts, { name, detail }) => {
    operations.removePermission(parts, name, detail)
    return noContent
  }),
  route('PUT', `/2019-09-25${FUNCTION}/event-invoke-config`, (parts, { name, body }) =>
    json(200, operations.setEventInvokeConfig(parts, name, parseJson(body), false)),
  ),
  route('POST', `/2019-09-25${FUNCTION}/event-invoke-config`, (parts, { name, body }) =>
    json(200, operations.setEventInvokeConfig(parts, name, parseJson(body), true)),
  ),
  route('GET', `/2019-09-25${FUNCTION}/event-invoke-config`, (parts, { name }) =>
    json(200, operations.getEventInvokeConfig(parts, name)),
  ),
  route('DELETE', `/2019-09-25${FUNCTION}/event-invoke-config`, (parts, { name }) => {
    operations.deleteEventInvokeConfig(parts, name)
    return noContent
  }),
  route('PUT', `/2017-10-31${FUNCTION}/concurrency`, (parts, { name, body }) =>
    json(200, operations.putConcurrency(parts, name, parseJson(body))),
  ),
  route('GET', `/2019-09-30${FUNCTION}/concurrency`, (parts, { name }) =>
    json(200, operations.getConcurrency(parts, name)),
  ),
  route('DELETE', `/2017-10-31${FUNCTION}/concurrency`, (parts, { name }) => {
    operations.deleteConcurrency(parts, name)
    return noContent
  }),
  route('GET', '/2017-03-31/tags/(?<name>[^/]+)', (parts, { name }) => json(200, operations.listTags(parts, name))),
  route('POST', '/2017-03-31/tags/(?<name>[^/]+)', (parts, { name, body }) => {
    operations.tagResource(parts, name, parseJson(body))
    return noContent
  }),
  route('DELETE', '/2017-03-31/tags/(?<name>[^/]+)', (parts, { name, query }) => {
    operations.untagResource(parts, name, query.getAll('tagKeys'))
    return noContent
  }),
]

/** As on AWS, whoever has the link may download the package for a while. */
function packageUrl({ credentials }: operations.LambdaParts, origin: string, name: string): string {
  const path = `/2015-03-31/functions/${name}/code`
  if (!credentials) return origin + path
  const options = { credentials, region: REGION, service: 'lambda', expiresSeconds: LINK_SECONDS, at: Date.now() }
  return presignedUrl(origin, path, options)
}

/**
 * Finds what answers a path. The names in it are decoded, and a reference to a function, with the qualifier that may be
 * in the query, is brought to the bare name.
 */
export function findRoute(table: Route[], method: string, path: string, query: URLSearchParams) {
  for (const route of table) {
    const match = route.method === method ? route.path.exec(path) : null
    if (!match) continue
    const { name = '', detail = '' } = match.groups ?? {}
    return { route, name: name && bareName(decodeURIComponent(name), query), detail: decodeURIComponent(detail) }
  }
  return undefined
}

function bareName(reference: string, query: URLSearchParams): string {
  const qualifier = query.get('Qualifier')
  return functionName(qualifier === null ? reference : `${functionName(reference)}:${qualifier}`)
}
