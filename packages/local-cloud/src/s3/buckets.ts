import { ACCOUNT_ID, REGION } from '../service.ts'
import type { Operation } from './operation.ts'
import { buildDocument, buildElement, buildText } from './xml.ts'

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
