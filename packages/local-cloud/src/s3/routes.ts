/** The routing table of S3: method, level (service, bucket or object) and sub-resource. */
import * as buckets from './buckets.ts'
import { assertUnconditional } from './conditions.ts'
import { S3Error } from './errors.ts'
import { listObjects } from './listing.ts'
import * as multipart from './multipart.ts'
import { assertUnversioned, copyObject, deleteObject, deleteObjects, getObject, putObject } from './objects.ts'
import type { Operation } from './operation.ts'
import type { S3Request } from './request.ts'

interface Route {
  method: string
  level: 'service' | 'bucket' | 'object'
  subResource?: string
  /** Such routes come before the one without the header. */
  header?: string
  operation: Operation
}

const ROUTES: Route[] = [
  { method: 'GET', level: 'service', operation: buckets.listBuckets },
  { method: 'PUT', level: 'bucket', operation: buckets.createBucket },
  { method: 'HEAD', level: 'bucket', operation: buckets.headBucket },
  { method: 'DELETE', level: 'bucket', operation: buckets.deleteBucket },
  { method: 'GET', level: 'bucket', subResource: 'list-type', operation: listObjects },
  { method: 'GET', level: 'bucket', subResource: 'uploads', operation: multipart.listMultipartUploads },
  { method: 'POST', level: 'bucket', subResource: 'delete', operation: deleteObjects },
  { method: 'PUT', level: 'object', header: 'x-amz-copy-source', operation: copyObject },
  { method: 'PUT', level: 'object', operation: putObject },
  { method: 'GET', level: 'object', operation: getObject },
  { method: 'HEAD', level: 'object', operation: getObject },
  { method: 'DELETE', level: 'object', operation: deleteObject },
  { method: 'POST', level: 'object', subResource: 'uploads', operation: multipart.createMultipartUpload },
  { method: 'PUT', level: 'object', subResource: 'uploadId', operation: multipart.uploadPart },
  { method: 'POST', level: 'object', subResource: 'uploadId', operation: multipart.completeMultipartUpload },
  { method: 'DELETE', level: 'object', subResource: 'uploadId', operation: multipart.abortMultipartUpload },
]

/** S3's other sub-resources, so that requests for them are not mistaken for the plain operation. */
const UNSUPPORTED_SUB_RESOURCES = (
  'accelerate acl analytics annotation attributes cors encryption intelligent-tiering inventory legal-hold lifecycle ' +
  'location logging metadataConfiguration metadataTable metrics notification object-lock ownershipControls partNumber ' +
  'policy policyStatus publicAccessBlock renameObject replication requestPayment restore retention select session tagging ' +
  'torrent versioning versions website'
).split(' ')
const SUB_RESOURCES = [
  ...new Set([...ROUTES.flatMap(({ subResource }) => subResource ?? []), ...UNSUPPORTED_SUB_RESOURCES]),
]

export function findOperation(request: S3Request): Operation {
  assertUnversioned(request.query('versionId'))
  assertUnconditional(request)
  const level = request.key ? 'object' : request.bucket ? 'bucket' : 'service'
  const subResource = SUB_RESOURCES.find((name) => request.query(name) !== undefined)
  const route = ROUTES.find(
    ({ method, level: routeLevel, subResource: of, header }) =>
      method === request.method &&
      routeLevel === level &&
      of === subResource &&
      (!header || request.header(header) !== undefined),
  )
  if (route) return route.operation
  if (request.method === 'GET' && level === 'bucket' && !subResource) {
    throw new S3Error('NotImplemented', 'ListObjects is not implemented: use ListObjectsV2 (list-type=2)')
  }
  if (subResource) throw new S3Error('NotImplemented', `${request.method} of ?${subResource} is not implemented`)
  throw new S3Error('MethodNotAllowed', undefined, { Method: request.method, ResourceType: level.toUpperCase() })
}
