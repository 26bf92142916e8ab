import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import { ACCOUNT_ID, type Service } from '../service.ts'
import { isSesPath, MAILBOX } from '../ses.ts'
import type { Credentials } from '../signature/signature.ts'
import { FAULTS_PATH, type FaultInjector } from './faults.ts'
import { isAllowedForPages, isFromPage, rejectPage } from './reject-web-pages.ts'
import { requireSignature } from './require-signature.ts'

export interface Services {
  dynamodb: Service
  s3: Service
  lambda: Service
  eventbridge: Service
  kms: Service
  ses: Service
}

const TARGETS: { [prefix: string]: keyof Services } = { AWSEvents: 'eventbridge', TrentService: 'kms' }
const LAMBDA_PATH = /^\/20\d\d-\d\d-\d\d\/functions(\/|$)/
const SIGNED_SERVICE = /Credential=[^,\s]+\/([a-z0-9-]+)\/aws4_request/

export function createDispatcher(services: Services, faults: FaultInjector, credentials: Credentials): RequestListener {
  const withFaults = (name: keyof Services): Service['handle'] => {
    return (req, res) => faults.apply(name, req, res, services[name])
  }
  const handlers: Record<Destination, Service['handle']> = {
    dynamodb: requireSignature('dynamodb', credentials, withFaults('dynamodb')),
    eventbridge: requireSignature('eventbridge', credentials, withFaults('eventbridge')),
    kms: requireSignature('kms', credentials, withFaults('kms')),
    lambda: requireSignature('lambda', credentials, withFaults('lambda')),
    ses: requireSignature('ses', credentials, withFaults('ses')),
    sts: requireSignature('sts', credentials, handleSts),
    mailbox: requireSignature('local', credentials, services.ses.handle),
    faults: requireSignature('local', credentials, faults.control),
    s3: withFaults('s3'),
  }
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const destination = findDestination(req)
    if (isFromPage(req) && !(destination === 's3' && isAllowedForPages(req))) return rejectPage(req, res)
    return handlers[destination](req, res)
  }
  return (req, res) => void handle(req, res).catch((error: unknown) => handleFailure(req, res, error))
}

type Destination = keyof Services | 'sts' | 'mailbox' | 'faults'

function findDestination(req: IncomingMessage): Destination {
  const target = req.headers['x-amz-target']
  if (typeof target === 'string') return TARGETS[target.slice(0, target.indexOf('.'))] ?? 'dynamodb'
  const path = req.url!.split('?', 1)[0]!
  if (path === FAULTS_PATH) return 'faults'
  if (path === MAILBOX) return 'mailbox'
  if (isSesPath(path)) return 'ses'
  const signedFor = SIGNED_SERVICE.exec(req.headers.authorization ?? '')?.[1]
  if (signedFor === 's3' || signedFor === 'sts') return signedFor
  if (LAMBDA_PATH.test(path)) return 'lambda'
  return isForm(req) && path === '/' ? 'sts' : 's3'
}

const isForm = (req: IncomingMessage) =>
  req.method === 'POST' && /^application\/x-www-form-urlencoded/i.test(req.headers['content-type'] ?? '')

const STS_NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/'
const MAX_STS_BODY_BYTES = 64 * 1024

async function handleSts(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const action = new URLSearchParams(String((await readBody(req, MAX_STS_BODY_BYTES)) ?? '')).get('Action')
  const isKnownAction = action === 'GetCallerIdentity'
  const requestId = randomUUID()
  res.writeHead(isKnownAction ? 200 : 400, { 'content-type': 'text/xml', 'x-amzn-requestid': requestId })
  res.end(isKnownAction ? buildCallerIdentity(requestId) : buildUnknownAction(requestId))
}

const buildCallerIdentity = (requestId: string) =>
  `<GetCallerIdentityResponse xmlns="${STS_NAMESPACE}"><GetCallerIdentityResult>` +
  `<Arn>arn:aws:iam::${ACCOUNT_ID}:root</Arn><UserId>${ACCOUNT_ID}</UserId><Account>${ACCOUNT_ID}</Account>` +
  `</GetCallerIdentityResult><ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></GetCallerIdentityResponse>`

const buildUnknownAction = (requestId: string) =>
  `<ErrorResponse xmlns="${STS_NAMESPACE}"><Error><Type>Sender</Type><Code>InvalidAction</Code>` +
  `<Message>The embedded cloud only supports GetCallerIdentity.</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`

function handleFailure(req: IncomingMessage, res: ServerResponse, error: unknown): void {
  if (req.destroyed && !res.writable) return
  console.error(`The embedded cloud failed on ${req.method} ${req.url}:`, error)
  if (res.headersSent) res.destroy()
  else
    res
      .writeHead(500, { 'content-type': 'application/json' })
      .end('{"__type":"InternalFailure","message":"The embedded cloud failed."}')
}
