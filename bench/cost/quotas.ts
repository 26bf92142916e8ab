/** Default AWS quotas per account and region that the platform could reach; most can be raised on request. */

export interface Quota {
  name: string
  /** Per second; for `lambda`, concurrent runs. */
  limit: number
}

export const QUOTAS = {
  api: { name: 'API Gateway, requests per second', limit: 10_000 },
  lambda: { name: 'Lambda, concurrent runs', limit: 1_000 },
  tableWrites: { name: 'DynamoDB, a new on-demand table, WRU per second', limit: 4_000 },
  tableReads: { name: 'DynamoDB, a new on-demand table, RRU per second', limit: 12_000 },
  partitionWrites: { name: 'DynamoDB, one partition, WRU per second', limit: 1_000 },
  puts: { name: 'S3, one prefix, PUT per second', limit: 3_500 },
  gets: { name: 'S3, one prefix, GET per second', limit: 5_500 },
  bus: { name: 'EventBridge, PutEvents entries per second', limit: 10_000 },
  marks: { name: 'marks of pending events (8 partitions, 3 WRU each), transactions per second', limit: 2_666 },
} as const satisfies Record<string, Quota>

export type Resource = keyof typeof QUOTAS

/** Lambda adds this many concurrent runs of a function every 10 s. */
export const LAMBDA_SCALING = { runs: 1_000, seconds: 10 }
export const HTTP_SECONDS = 29
export const FUNCTION_SECONDS = 900
export const JOB_MEGABYTES = 2_048
