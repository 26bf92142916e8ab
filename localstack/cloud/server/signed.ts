/**
 * Lets requests through to a service only with a valid signature of this cloud's credentials, and refuses the others as the
 * service's protocol does. S3 verifies its own: its bodies stream, and forms carry their signature inside.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import type { Service } from '../service.ts'
import { signedRequest } from '../signature/request.ts'
import { type Credentials, sha256Hex } from '../signature/signature.ts'
import {
  readClaim,
  SignatureError,
  type SignatureProblem,
  type SigningRules,
  verifyClaim,
} from '../signature/verify.ts'

/** How a service writes errors: JSON with a type, JSON with a header, or XML. */
type Protocol = 'json' | 'rest' | 'query'

interface Signed {
  /** As the scope of its signatures names it; any for what is no service of AWS. */
  service?: string
  protocol: Protocol
  /** Before the type of an error. */
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
  /** The mailbox and the faults, at `/_aws/`. */
  local: { protocol: 'rest' },
} as const satisfies Record<string, Signed>
export type SignedService = keyof typeof SERVICES

/** S3 allows 15 minutes. */
const MAX_SKEW_MS = 5 * 60 * 1000
/** More than any of the services accepts. */
const LARGEST_BODY_BYTES = 72_000_000

/** `x-amz-target` names the operation. */
const mustSign: SigningRules['mustSign'] = ({ headers }) =>
  headers['x-amz-target'] === undefined ? [] : ['x-amz-target']

export function signed(name: SignedService, credentials: Credentials, handle: Service['handle']): Service['handle'] {
  const kind: Signed = SERVICES[name]
  const rules: SigningRules = { service: kind.service, maxSkewMs: MAX_SKEW_MS, mustSign }
  return async (req, res) => {
    try {
      await verify(req, rules, credentials)
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error
      req.resume()
      return refuse(res, kind, error)
    }
    return handle(req, res)
  }
}

/** All that needs no body is checked before it is read. */
async function verify(req: IncomingMessage, rules: SigningRules, credentials: Credentials): Promise<void> {
  const request = signable(req)
  const claim = readClaim(request, rules, credentials, Date.now())
  const body = await readBody(req, LARGEST_BODY_BYTES)
  if (!body) throw new SignatureError('malformed', `Request must be smaller than ${LARGEST_BODY_BYTES} bytes`)
  verifyClaim(request, claim, sha256Hex(body), credentials)
}

function signable(req: IncomingMessage) {
  try {
    return signedRequest(req)
  } catch {
    throw new SignatureError('malformed query', 'The query is not encoded as it must be.')
  }
}

type Refusal = 'missing' | 'incomplete' | 'unknown key' | 'wrong'

const REFUSALS: Record<SignatureProblem, Refusal> = {
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

const TYPES: Record<Refusal, { name: string; query: string; message: string }> = {
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

function refuse(res: ServerResponse, { protocol, namespace = '' }: Signed, error: SignatureError): void {
  const type = TYPES[REFUSALS[error.problem]]
  const message = error.message || type.message
  const requestId = randomUUID()
  const answer = (status: number, contentType: string, body: string, headers: Record<string, string> = {}) =>
    res.writeHead(status, { 'content-type': contentType, 'x-amzn-requestid': requestId, ...headers }).end(body)
  if (protocol === 'json')
    answer(400, 'application/x-amz-json-1.1', JSON.stringify({ __type: `${namespace}${type.name}`, message }))
  else if (protocol === 'rest')
    answer(403, 'application/json', JSON.stringify({ message }), { 'x-amzn-errortype': type.name })
  else answer(403, 'text/xml', queryError(type.query, message, requestId))
}

/** Messages may repeat what the request said. */
const escaped = (text: string) => text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`)

const queryError = (code: string, message: string, requestId: string) =>
  `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code>` +
  `<Message>${escaped(message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`
