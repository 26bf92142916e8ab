import type * as z from 'zod'
import type { mutateRecords } from '../../../schemas/jobs/operations.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { Selection } from '../../records/index.ts'
import { buildSelection } from '../request/selected-records.ts'
import { buildFunctionProgram } from './source.ts'

export interface Mutation {
  selection: Selection
  program: string
}

export function parseMutation(
  sheet: StoredSheet,
  config: z.output<typeof mutateRecords.config>,
  keyPrefix: string,
): Mutation {
  const program = buildFunctionProgram(config.mutateRecord, `${keyPrefix}mutateRecord`)
  return { selection: buildSelection(sheet, config, keyPrefix), program }
}
