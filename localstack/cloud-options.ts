/** The properties of Wharf that the embedded cloud cannot read from serverless.yml. */
import { bodyTooLarge } from '../lib/http/request.ts'
import { errorReply } from '../lib/http/response.ts'
import type { BodyLimit, CloudOptions } from '../packages/local-cloud/src/server.ts'
import { endpoints } from '../schemas/index.ts'
import { HEADER_BYTES, LAMBDA_REQUEST_BYTES } from '../schemas/kit/byte-limits.ts'
import { buildRouteKey, getMaxBodyBytes } from '../schemas/kit/endpoint.ts'
import { READ_FILES } from '../scripts/read-files.ts'

const bodyLimits = new Map<string, number>(
  endpoints.map((endpoint) => [buildRouteKey(endpoint), getMaxBodyBytes(endpoint)]),
)

/** The limits of the routes' contracts, so that oversized bodies get the platform's own error locally too. */
function findBodyLimit(routeKey: string, method: string): BodyLimit {
  const bytes = bodyLimits.get(routeKey.replace(/^ANY /, `${method} `)) ?? LAMBDA_REQUEST_BYTES
  return { bytes, tooLarge: errorReply('too-large', bodyTooLarge(bytes).problems).body }
}

const otherEndpoints = Object.fromEntries(
  ['AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'AWS_ENDPOINT_URL_LAMBDA'].flatMap((name) =>
    process.env[name] ? [[name, process.env[name]]] : [],
  ),
)

/** Webhooks, OpenID providers and models may run on this machine, but not on the ports of the platform. */
export const buildLocalVariables = (ports: readonly number[]): Record<string, string> => ({
  OUTBOUND_LOOPBACK: 'on',
  OUTBOUND_CLOSED_PORTS: ports.join(','),
  // Local development has one user.
  RATE_LIMIT: process.env.RATE_LIMIT ?? '0',
  ADDRESS_RATE_LIMIT: process.env.ADDRESS_RATE_LIMIT ?? '0',
  // All functions share one process here.
  PARTS_AT_ONCE: process.env.PARTS_AT_ONCE ?? '1',
  ...otherEndpoints,
})

/** With a pattern instead of any path, bundlers can include the functions. */
const importFunction: CloudOptions['importFunction'] = ({ module }) =>
  import(/* @vite-ignore */ `../functions/${module.replace('functions/', '')}.ts`)

export const CLOUD_OPTIONS = {
  importFunction,
  bodyLimit: findBodyLimit,
  buildVariables: buildLocalVariables,
  maxHeaderBytes: HEADER_BYTES.local,
  readFiles: READ_FILES,
} satisfies Partial<CloudOptions>
