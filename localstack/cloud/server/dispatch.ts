/**
 * One address for all services: tells from a request's head which service it is for, as the SDKs write it.
 * Knows the services' wire marks, none of their operations but STS's one.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { ACCOUNT_ID, type Service } from '../service.ts'
import { isForSes } from '../ses.ts'
import { FAULTS_PATH, type Faults } from './faults.ts'

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
const LAMBDA_PATH = /^\/20\d\d-\d\d-\d\d\/(functions|event-source-mappings|tags|account-settings)(\/|\?|$)/
/** The service a signature was made for: `Credential=<key>/<day>/<region>/<service>/aws4_request`. */
const SIGNED_SERVICE = /Credential=[^,\s]+\/([a-z0-9-]+)\/aws4_request/

export function dispatcher(services: Services, faults: Faults): RequestListener {
  const handle = (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.url === FAULTS_PATH) return faults.control(req, res)
    const service = serviceOf(req)
    return service === 'sts' ? answerSts(req, res) : faults.meet(service, req, res, services[service])
  }
  return (req, res) => void handle(req, res).catch((error: unknown) => fail(req, res, error))
}

function serviceOf(req: IncomingMessage): keyof Services | 'sts' {
  const target = req.headers['x-amz-target']
  if (typeof target === 'string') return TARGETS[target.slice(0, target.indexOf('.'))] ?? 'dynamodb'
  const signedFor = SIGNED_SERVICE.exec(req.headers.authorization ?? '')?.[1]
  if (isForSes(req.url!, signedFor)) return 'ses'
  if (signedFor === 's3' || signedFor === 'sts') return signedFor
  if (LAMBDA_PATH.test(req.url!)) return 'lambda'
  return isForm(req) && req.url === '/' ? 'sts' : 's3'
}

const isForm = (req: IncomingMessage) =>
  req.method === 'POST' && /^application\/x-www-form-urlencoded/i.test(req.headers['content-type'] ?? '')

const STS_NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/'
const STS_BODY_BYTES = 64 * 1024

/** `GetCallerIdentity`, by which tools find out whose account they talk to; STS knows nothing else here. */
async function answerSts(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const action = new URLSearchParams(await readText(req)).get('Action')
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

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= STS_BODY_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

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
