/** Operations on the service and on buckets: list, create, head, delete, location, CORS, versioning. */
import { ACCOUNT_ID, REGION } from '../service.ts'
import { S3Error } from './errors.ts'
import { type Operation, readXml } from './operation.ts'
import { buildDocument, buildElement, buildText, childElements, childText } from './xml.ts'

export const listBuckets: Operation = async ({ store }) => {
  const buckets = store.buckets.map(({ name, createdAt }) =>
    buildElement('Bucket', buildText('Name', name), buildText('CreationDate', new Date(createdAt).toISOString())),
  )
  const owner = buildElement('Owner', buildText('ID', ACCOUNT_ID))
  return { status: 200, body: buildDocument('ListAllMyBucketsResult', buildElement('Buckets', ...buckets), owner) }
}

export const createBucket: Operation = async ({ request, store }) => {
  await store.createBucket(request.bucket)
  return { status: 200, headers: { location: `/${request.bucket}` } }
}

export const headBucket: Operation = async ({ request, store }) => {
  store.getBucket(request.bucket)
  return { status: 200, headers: { 'x-amz-bucket-region': REGION } }
}

export const deleteBucket: Operation = async ({ request, store }) => {
  await store.deleteBucket(request.bucket)
  return { status: 204 }
}

export const getBucketLocation: Operation = async ({ request, store }) => {
  store.getBucket(request.bucket)
  return { status: 200, body: buildDocument('LocationConstraint') }
}

/** Only stored and returned: every origin is allowed anyway. */
export const putBucketCors: Operation = async (call) => {
  const { xml, source } = await readXml(call, 'CORSConfiguration')
  const rules = childElements(xml, 'CORSRule')
  const isComplete = rules.every((rule) => rule.AllowedMethod !== undefined && rule.AllowedOrigin !== undefined)
  if (rules.length === 0 || !isComplete) throw new S3Error('MalformedXML')
  await call.store.setCors(call.request.bucket, source)
  return { status: 200 }
}

export const getBucketCors: Operation = async ({ request, store }) => {
  const { cors } = store.getBucket(request.bucket)
  if (cors === undefined) throw new S3Error('NoSuchCORSConfiguration', undefined, { BucketName: request.bucket })
  return { status: 200, body: cors }
}

export const deleteBucketCors: Operation = async ({ request, store }) => {
  await store.setCors(request.bucket, undefined)
  return { status: 204 }
}

export const putBucketVersioning: Operation = async (call) => {
  call.store.getBucket(call.request.bucket)
  const { xml } = await readXml(call, 'VersioningConfiguration')
  if (childText(xml, 'Status') === 'Suspended') return { status: 200 }
  throw new S3Error('NotImplemented', 'Object versions are not implemented')
}

export const getBucketVersioning: Operation = async ({ request, store }) => {
  store.getBucket(request.bucket)
  return { status: 200, body: buildDocument('VersioningConfiguration') }
}
