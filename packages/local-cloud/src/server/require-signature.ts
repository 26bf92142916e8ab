/** Requires valid signatures, with errors in each service's protocol. S3 verifies its own requests. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import type { Service } from '../service.ts'
import { toSignedRequest } from '../signature/request.ts'
import { type Credentials, sha256Hex } from '../signature/signature.ts'
import {
  readClaim,
  SignatureError,
  type SignatureProblem,
  type SigningRules,
  verifyClaim,
} from '../signature/verify.ts'

type Protocol = 'json' | 'rest' | 'query'

interface SignedProtocol {
  service?: string
  protocol: Protocol
  namespace?: string
}

const SERVICES = {
  dynamodb: { service: 'dynamodb', protocol: 'json', namespace: 'com.amazon.coral.service#' },
  eventbridge: { service: 'events', protocol: 'json' },
  kms: { service: 'kms', protocol: 'json' },
  lambda: { service: 'lambda', protocol: 'rest' },
  ses: { service: 'ses', protocol: 'rest' },
  sts: { service: 'sts', protocol: 'query' },
  connections: { service: 'execute-api', protocol: 'rest' },
  local: { protocol: 'rest' },
} as const satisfies Record<string, SignedProtocol>
export type SignedService = keyof typeof SERVICES

const MAX_SKEW_MS = 5 * 60 * 1000
const MAX_BODY_BYTES = 72_000_000

const mustSign: SigningRules['mustSign'] = ({ headers }) =>
  headers['x-amz-target'] === undefined ? [] : ['x-amz-target']

export function requireSignature(
  name: SignedService,
  credentials: Credentials,
  handle: Service['handle'],
): Service['handle'] {
  const signedProtocol: SignedProtocol = SERVICES[name]
  const rules: SigningRules = { service: signedProtocol.service, maxSkewMs: MAX_SKEW_MS, mustSign }
  return async (req, res) => {
    try {
      await verifyRequest(req, rules, credentials)
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error
      req.resume()
      return sendSignatureError(res, signedProtocol, error)
    }
    return handle(req, res)
  }
}

async function verifyRequest(req: IncomingMessage, rules: SigningRules, credentials: Credentials): Promise<void> {
  const request = parseSignedRequest(req)
  const claim = readClaim(request, rules, credentials, Date.now())
  const body = await readBody(req, MAX_BODY_BYTES)
  if (!body) throw new SignatureError('malformed', `Request must be smaller than ${MAX_BODY_BYTES} bytes`)
  verifyClaim(request, claim, sha256Hex(body), credentials)
}

function parseSignedRequest(req: IncomingMessage) {
  try {
    return toSignedRequest(req)
  } catch {
    throw new SignatureError('malformed query', 'The query string is not encoded correctly.')
  }
}

type ErrorKind = 'missing' | 'incomplete' | 'unknown key' | 'wrong'

const ERROR_KINDS: Record<SignatureProblem, ErrorKind> = {
  unsigned: 'missing',
  unsupported: 'incomplete',
  malformed: 'incomplete',
  'malformed query': 'incomplete',
  'no date': 'incomplete',
  skewed: 'wrong',
  expired: 'wrong',
  'not yet valid': 'wrong',
  'header not signed': 'wrong',
  'wrong service': 'wrong',
  'wrong date': 'wrong',
  'unknown key': 'unknown key',
  mismatch: 'wrong',
}

const ERROR_TYPES: Record<ErrorKind, { name: string; query: string; message: string }> = {
  missing: {
    name: 'MissingAuthenticationTokenException',
    query: 'MissingAuthenticationToken',
    message: 'Request is missing Authentication Token',
  },
  incomplete: {
    name: 'IncompleteSignatureException',
    query: 'IncompleteSignature',
    message: "Authorization header requires 'Credential', 'Signature', 'SignedHeaders' and 'X-Amz-Date'.",
  },
  'unknown key': {
    name: 'UnrecognizedClientException',
    query: 'InvalidClientTokenId',
    message: 'The security token included in the request is invalid.',
  },
  wrong: {
    name: 'InvalidSignatureException',
    query: 'SignatureDoesNotMatch',
    message:
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key ' +
      'and signing method. Consult the service documentation for details.',
  },
}

function sendSignatureError(
  res: ServerResponse,
  { protocol, namespace = '' }: SignedProtocol,
  error: SignatureError,
): void {
  const type = ERROR_TYPES[ERROR_KINDS[error.problem]]
  const message = error.message || type.message
  const requestId = randomUUID()
  const send = (status: number, contentType: string, body: string, headers: Record<string, string> = {}) =>
    res.writeHead(status, { 'content-type': contentType, 'x-amzn-requestid': requestId, ...headers }).end(body)
  if (protocol === 'json')
    send(400, 'application/x-amz-json-1.1', JSON.stringify({ __type: `${namespace}${type.name}`, message }))
  else if (protocol === 'rest')
    send(403, 'application/json', JSON.stringify({ message }), { 'x-amzn-errortype': type.name })
  else send(403, 'text/xml', buildQueryError(type.query, message, requestId))
}

const escapeXml = (text: string) => text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`)

const buildQueryError = (code: string, message: string, requestId: string) =>
  `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code>` +
  `<Message>${escapeXml(message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`
