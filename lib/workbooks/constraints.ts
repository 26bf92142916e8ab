import type { Constraint } from '../../schemas/sheets/fields.ts'
import type { StoredSheet } from '../entities/sheets.ts'

export const withConstraints = (sheet: StoredSheet, fieldKey: string, constraints: Constraint[]): StoredSheet => ({
  ...sheet,
  config: {
    ...sheet.config,
    fields: sheet.config.fields.map((field) => (field.key === fieldKey ? { ...field, constraints } : field)),
  },
})
