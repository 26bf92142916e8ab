import { MAX_RECORDS_PER_SHEET } from '../../schemas/records/limits.ts'
import { processEnv } from './env.ts'

export const getRecordsPerSheet = (): number => processEnv().RECORDS_PER_SHEET ?? MAX_RECORDS_PER_SHEET
