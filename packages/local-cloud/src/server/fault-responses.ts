/** The throttling and server errors of the AWS services, for fault injection. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import { buildErrorDocument, S3Error } from '../s3/errors.ts'
import type { FaultyService } from './fault-plan.ts'

export type FaultKind = 'throttle' | 'error'

interface FaultResponse {
  status: number
  type: string
  headers?: Record<string, string>
  body: string
}

const MAX_TRANSACTION_BYTES = 20 * 1024 * 1024
const DYNAMO = 'com.amazonaws.dynamodb.v20120810#'
const SLOW_DOWN = 'The level of configured provisioned throughput for the table was exceeded.'

/** Reads the request first: a client that is still sending cannot read the response. */
export async function sendFault(
  service: FaultyService,
  kind: FaultKind,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const requestBody = await readBody(req, service === 'dynamodb' ? MAX_TRANSACTION_BYTES : 0)
  const { status, type, headers, body } = FAULT_RESPONSES[service](kind, req, requestBody ?? Buffer.alloc(0))
  const length = String(Buffer.byteLength(body))
  res.writeHead(status, {
    'content-type': type,
    'content-length': length,
    'x-amzn-requestid': randomUUID(),
    ...headers,
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

const buildCodedError = (
  status: number,
  name: string,
  message: string,
  version: '1.0' | '1.1',
  extra: object = {},
): FaultResponse => ({
  status,
  type: `application/x-amz-json-${version}`,
  body: JSON.stringify({ __type: name, message, ...extra }),
})

const buildNamedError = (status: number, name: string, message: string): FaultResponse => ({
  status,
  type: 'application/json',
  headers: { 'x-amzn-errortype': name },
  body: JSON.stringify({ message }),
})

const selectByKind = (responses: Record<FaultKind, FaultResponse>) => (kind: FaultKind) => responses[kind]

const FAULT_RESPONSES: Record<FaultyService, (kind: FaultKind, req: IncomingMessage, body: Buffer) => FaultResponse> = {
  dynamodb(kind, req, body) {
    if (kind === 'error') return buildCodedError(500, `${DYNAMO}InternalServerError`, 'Internal server error', '1.0')
    if (/\.TransactWriteItems$/.test(String(req.headers['x-amz-target']))) return buildCancelledTransaction(body)
    return buildCodedError(400, `${DYNAMO}ProvisionedThroughputExceededException`, SLOW_DOWN, '1.0')
  },
  s3(kind, req) {
    const error = new S3Error(kind === 'error' ? 'InternalError' : 'SlowDown')
    const body = buildErrorDocument(error, (req.url ?? '/').split('?')[0]!, randomUUID())
    return { status: error.status, type: 'application/xml', body }
  },
  eventbridge: selectByKind({
    error: buildCodedError(500, 'InternalException', 'Internal error', '1.1'),
    throttle: buildCodedError(400, 'ThrottlingException', 'Rate exceeded', '1.1'),
  }),
  lambda: selectByKind({
    error: buildNamedError(500, 'ServiceException', 'Internal error'),
    throttle: buildNamedError(429, 'TooManyRequestsException', 'Rate Exceeded.'),
  }),
  kms: selectByKind({
    error: buildCodedError(500, 'KMSInternalException', 'Internal error', '1.1'),
    throttle: buildCodedError(400, 'ThrottlingException', 'Rate exceeded', '1.1'),
  }),
  ses: selectByKind({
    error: buildNamedError(500, 'InternalServiceErrorException', 'Internal error'),
    throttle: buildNamedError(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.'),
  }),
}

function buildCancelledTransaction(body: Buffer): FaultResponse {
  const { TransactItems = [] } = JSON.parse(body.toString() || '{}') as { TransactItems?: unknown[] }
  const reasons = TransactItems.map((_, index) =>
    index === 0 ? { Code: 'ThrottlingError', Message: SLOW_DOWN } : { Code: 'None' },
  )
  const codes = reasons.map(({ Code }) => Code).join(', ')
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`
  return buildCodedError(400, `${DYNAMO}TransactionCanceledException`, message, '1.0', { CancellationReasons: reasons })
}
