/**
 * AWS prices in dollars, used for all cost figures and without free tiers. Change them to your region's and run `npm
 * run cost`.
 */
export const PRICES = {
  region: 'us-east-1',
  asOf: '2025-12',
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  tableGigabyteMonth: 0.25,
  s3Put: 5e-6,
  s3Get: 0.4e-6,
  s3GigabyteMonth: 0.023,
  lambdaRun: 0.2e-6,
  lambdaGigabyteSecond: 13.3334e-6,
  httpRequest: 1e-6,
  socketMessage: 1e-6,
  socketMinute: 0.25e-6,
  busEvent: 1e-6,
  secretMonth: 0.4,
  keyMonth: 1,
  alarmMonth: 0.1,
  dashboardMonth: 3,
} as const
