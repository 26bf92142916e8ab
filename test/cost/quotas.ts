/** Default AWS quotas per account and region that the platform could reach; most can be raised on request. */

export interface Quota {
  name: string
  /** Per second; for `lambda`, concurrent runs. */
  limit: number
}

export const QUOTAS = {
  api: { name: 'API Gateway, requests a second', limit: 10_000 },
  lambda: { name: 'Lambda, runs at the same time', limit: 1_000 },
  tableWrites: { name: 'DynamoDB, a new on-demand table, WRU a second', limit: 4_000 },
  tableReads: { name: 'DynamoDB, a new on-demand table, RRU a second', limit: 12_000 },
  partitionWrites: { name: 'DynamoDB, one partition, WRU a second', limit: 1_000 },
  puts: { name: 'S3, one prefix, PUT a second', limit: 3_500 },
  gets: { name: 'S3, one prefix, GET a second', limit: 5_500 },
  bus: { name: 'EventBridge, PutEvents entries a second', limit: 10_000 },
  marks: { name: 'marks of events on their way (8 index partitions, 2 writes each), events a second', limit: 4_000 },
} as const satisfies Record<string, Quota>

export type Resource = keyof typeof QUOTAS

/** Lambda adds this many concurrent runs of a function every 10 s. */
export const LAMBDA_SCALING = { runs: 1_000, seconds: 10 }
export const HTTP_SECONDS = 29
export const FUNCTION_SECONDS = 900
export const JOB_MEGABYTES = 2_048
