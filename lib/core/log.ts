/** Structured logs (Powertools); one logger, one name. Never give it a token, a key or a record's values. */
import { Logger } from '@aws-lambda-powertools/logger'

export const log = new Logger({
  serviceName: 'wharf',
  logLevel: (process.env.LOG_LEVEL ?? 'INFO') as 'INFO',
})
