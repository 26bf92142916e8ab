/**
 * What AWS charges, in dollars: the one table all figures of cost are made with. Change it to your region's and run
 * `npm run cost`. Free tiers are left out.
 */
export const PRICES = {
  region: 'us-east-1',
  /** The price lists these were copied from. */
  asOf: '2025-12',
  /** On demand, a unit. */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  tableGigabyteMonth: 0.25,
  /** Standard class, a request. */
  s3Put: 5e-6,
  s3Get: 0.4e-6,
  s3GigabyteMonth: 0.023,
  /** arm64. */
  lambdaRun: 0.2e-6,
  lambdaGigabyteSecond: 13.3334e-6,
  httpRequest: 1e-6,
  /** Of 32 KB. */
  socketMessage: 1e-6,
  socketMinute: 0.25e-6,
  /** A custom event of up to 64 KB; its delivery to a function in the same account is free. */
  busEvent: 1e-6,
  secretMonth: 0.4,
  /** A customer managed key of KMS; ten thousand of its requests are 3 cents. */
  keyMonth: 1,
  /** The first ten alarms and three dashboards of an account are free. */
  alarmMonth: 0.1,
  dashboardMonth: 3,
} as const
