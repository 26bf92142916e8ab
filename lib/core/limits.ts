/** Limits a deployment may set for itself. */
import { RECORDS_PER_SHEET } from '../../schemas/records.ts'
import { processEnv } from './env.ts'

/** Records a sheet holds at most: `RECORDS_PER_SHEET`, a million unless it is set. */
export const recordsPerSheet = (): number => processEnv().RECORDS_PER_SHEET ?? RECORDS_PER_SHEET
