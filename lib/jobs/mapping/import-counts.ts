import type { ImportCounts } from '../../../schemas/jobs/preview.ts'

export interface ImportedRecords {
  created: number
  createdErrors: number
}

export const countImport = ({ created, createdErrors }: ImportedRecords): ImportCounts => ({
  ...{ created, updated: 0, unchanged: 0, refused: 0 },
  valid: created - createdErrors,
  invalid: createdErrors,
})
