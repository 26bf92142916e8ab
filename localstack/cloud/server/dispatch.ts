/**
 * One address for all services: finds from a request's head which service it is for, as the SDKs write it, and hands over what is
 * signed with this cloud's credentials. Knows the services' wire marks, none of their operations but STS's one.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import { ACCOUNT_ID, type Service } from '../service.ts'
import { isForSes, MAILBOX } from '../ses.ts'
import type { Credentials } from '../signature/signature.ts'
import { FAULTS_PATH, type Faults } from './faults.ts'
import { isForPages, isFromPage, refusePage } from './foreign.ts'
import { signed } from './signed.ts'

export interface Services {
  dynamodb: Service
  s3: Service
  lambda: Service
  eventbridge: Service
  kms: Service
  ses: Service
}

/** Of the services that name their operations in a header; DynamoDB's carries a version. */
const TARGETS: { [prefix: string]: keyof Services } = { AWSEvents: 'eventbridge', TrentService: 'kms' }
const LAMBDA_PATH = /^\/20\d\d-\d\d-\d\d\/(functions|event-source-mappings|tags|account-settings)(\/|$)/
/** The service a signature was made for: `Credential=<key>/<day>/<region>/<service>/aws4_request`. */
const SIGNED_SERVICE = /Credential=[^,\s]+\/([a-z0-9-]+)\/aws4_request/

export function dispatcher(services: Services, faults: Faults, credentials: Credentials): RequestListener {
  const meet = (name: keyof Services): Service['handle'] => {
    return (req, res) => faults.meet(name, req, res, services[name])
  }
  const handlers: Record<Destination, Service['handle']> = {
    dynamodb: signed('dynamodb', credentials, meet('dynamodb')),
    eventbridge: signed('eventbridge', credentials, meet('eventbridge')),
    kms: signed('kms', credentials, meet('kms')),
    lambda: signed('lambda', credentials, meet('lambda')),
    ses: signed('ses', credentials, meet('ses')),
    sts: signed('sts', credentials, answerSts),
    mailbox: signed('local', credentials, services.ses.handle),
    faults: signed('local', credentials, faults.control),
    s3: meet('s3'),
  }
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const destination = destinationOf(req)
    if (isFromPage(req) && !(destination === 's3' && isForPages(req))) return refusePage(req, res)
    return handlers[destination](req, res)
  }
  return (req, res) => void handle(req, res).catch((error: unknown) => fail(req, res, error))
}

type Destination = keyof Services | 'sts' | 'mailbox' | 'faults'

function destinationOf(req: IncomingMessage): Destination {
  const target = req.headers['x-amz-target']
  if (typeof target === 'string') return TARGETS[target.slice(0, target.indexOf('.'))] ?? 'dynamodb'
  const path = req.url!.split('?', 1)[0]!
  if (path === FAULTS_PATH) return 'faults'
  if (path === MAILBOX) return 'mailbox'
  if (isForSes(path)) return 'ses'
  const signedFor = SIGNED_SERVICE.exec(req.headers.authorization ?? '')?.[1]
  if (signedFor === 's3' || signedFor === 'sts') return signedFor
  if (LAMBDA_PATH.test(path)) return 'lambda'
  return isForm(req) && path === '/' ? 'sts' : 's3'
}

const isForm = (req: IncomingMessage) =>
  req.method === 'POST' && /^application\/x-www-form-urlencoded/i.test(req.headers['content-type'] ?? '')

const STS_NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/'
const STS_BODY_BYTES = 64 * 1024

/** `GetCallerIdentity`, by which tools find out whose account they talk to; STS knows nothing else here. */
async function answerSts(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const action = new URLSearchParams(String((await readBody(req, STS_BODY_BYTES)) ?? '')).get('Action')
  const known = action === 'GetCallerIdentity'
  const requestId = randomUUID()
  res.writeHead(known ? 200 : 400, { 'content-type': 'text/xml', 'x-amzn-requestid': requestId })
  res.end(known ? callerIdentity(requestId) : unknownAction(requestId))
}

const callerIdentity = (requestId: string) =>
  `<GetCallerIdentityResponse xmlns="${STS_NAMESPACE}"><GetCallerIdentityResult>` +
  `<Arn>arn:aws:iam::${ACCOUNT_ID}:root</Arn><UserId>${ACCOUNT_ID}</UserId><Account>${ACCOUNT_ID}</Account>` +
  `</GetCallerIdentityResult><ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></GetCallerIdentityResponse>`

const unknownAction = (requestId: string) =>
  `<ErrorResponse xmlns="${STS_NAMESPACE}"><Error><Type>Sender</Type><Code>InvalidAction</Code>` +
  `<Message>The embedded cloud knows GetCallerIdentity only.</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`

/** A fault of the cloud itself. A client that has gone needs no answer. */
function fail(req: IncomingMessage, res: ServerResponse, error: unknown): void {
  if (req.destroyed && !res.writable) return
  console.error(`The embedded cloud failed at ${req.method} ${req.url}:`, error)
  if (res.headersSent) res.destroy()
  else
    res
      .writeHead(500, { 'content-type': 'application/json' })
      .end('{"__type":"InternalFailure","message":"The embedded cloud failed."}')
}
