/** How AWS's services refuse a request they did nothing of: as too much at once, or as a fault of their own. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import { errorDocument, S3Error } from '../s3/errors.ts'
import type { FaultyService } from './fault-plan.ts'

export type Refusal = 'throttle' | 'error'

interface Answer {
  status: number
  type: string
  headers?: Record<string, string>
  body: string
}

const TRANSACTION_BYTES = 20 * 1024 * 1024
const DYNAMO = 'com.amazonaws.dynamodb.v20120810#'
const SLOW_DOWN = 'The level of configured provisioned throughput for the table was exceeded.'

/** The request is read to its end first: a client that still sends cannot read the answer. */
export async function refuse(
  service: FaultyService,
  kind: Refusal,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const sent = await readBody(req, service === 'dynamodb' ? TRANSACTION_BYTES : 0)
  const { status, type, headers, body } = ANSWERS[service](kind, req, sent ?? Buffer.alloc(0))
  const length = String(Buffer.byteLength(body))
  res.writeHead(status, {
    'content-type': type,
    'content-length': length,
    'x-amzn-requestid': randomUUID(),
    ...headers,
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

const coded = (status: number, name: string, message: string, version: '1.0' | '1.1', more: object = {}): Answer => ({
  status,
  type: `application/x-amz-json-${version}`,
  body: JSON.stringify({ __type: name, message, ...more }),
})

const named = (status: number, name: string, message: string): Answer => ({
  status,
  type: 'application/json',
  headers: { 'x-amzn-errortype': name },
  body: JSON.stringify({ message }),
})

/** Where the request itself makes no difference. */
const byKind = (answers: Record<Refusal, Answer>) => (kind: Refusal) => answers[kind]

const ANSWERS: Record<FaultyService, (kind: Refusal, req: IncomingMessage, body: Buffer) => Answer> = {
  dynamodb(kind, req, body) {
    if (kind === 'error') return coded(500, `${DYNAMO}InternalServerError`, 'Internal server error', '1.0')
    if (/\.TransactWriteItems$/.test(String(req.headers['x-amz-target']))) return cancelled(body)
    return coded(400, `${DYNAMO}ProvisionedThroughputExceededException`, SLOW_DOWN, '1.0')
  },
  s3(kind, req) {
    const error = new S3Error(kind === 'error' ? 'InternalError' : 'SlowDown')
    const body = errorDocument(error, (req.url ?? '/').split('?')[0]!, randomUUID())
    return { status: error.status, type: 'application/xml', body }
  },
  eventbridge: byKind({
    error: coded(500, 'InternalException', 'Internal error', '1.1'),
    throttle: coded(400, 'ThrottlingException', 'Rate exceeded', '1.1'),
  }),
  lambda: byKind({
    error: named(500, 'ServiceException', 'Internal error'),
    throttle: named(429, 'TooManyRequestsException', 'Rate Exceeded.'),
  }),
  kms: byKind({
    error: coded(500, 'KMSInternalException', 'Internal error', '1.1'),
    throttle: coded(400, 'ThrottlingException', 'Rate exceeded', '1.1'),
  }),
  ses: byKind({
    error: named(500, 'InternalServiceErrorException', 'Internal error'),
    throttle: named(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.'),
  }),
}

/** A transaction is throttled item by item: it is cancelled, with a reason for each. */
function cancelled(body: Buffer): Answer {
  const { TransactItems = [] } = JSON.parse(body.toString() || '{}') as { TransactItems?: unknown[] }
  const reasons = TransactItems.map((_, index) =>
    index === 0 ? { Code: 'ThrottlingError', Message: SLOW_DOWN } : { Code: 'None' },
  )
  const codes = reasons.map(({ Code }) => Code).join(', ')
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`
  return coded(400, `${DYNAMO}TransactionCanceledException`, message, '1.0', { CancellationReasons: reasons })
}
