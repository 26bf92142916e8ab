import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { type DraftField, type DraftSheet, toSheetConfig } from './draft.ts'
import { getKind, isReference } from './kinds.ts'
import { isComplete } from './rules.ts'

const DELAY_MS = 300
/** A request takes no more. */
const MAX_REFERENCES = 20

export interface FieldProblem {
  field?: string | undefined
  type: 'error' | 'warn' | 'info'
  message: string
  count: number
  examples: unknown[]
}

export interface CheckResult {
  records: number
  recordsWithErrors: number
  problems: FieldProblem[]
}

function useDelayed<T>(value: T): T {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), DELAY_MS)
    return () => clearTimeout(timer)
  }, [value])
  return delayed
}

const withCompleteRules = (sheet: DraftSheet): DraftSheet => ({
  ...sheet,
  constraints: sheet.constraints.filter(isComplete),
  fields: sheet.fields
    .filter(({ field }) => !isReference(getKind(field)) || (field.config?.ref && field.config.key))
    .map((one) => ({ ...one, field: { ...one.field, constraints: one.field.constraints?.filter(isComplete) ?? [] } })),
})

/** The columns of the sample that the references of a sheet name. */
function listReferences(sheet: DraftSheet, sheets: readonly DraftSheet[]) {
  const findTarget = ({ field }: DraftField) => {
    const target = sheets.find(({ slug }) => slug === field.config?.ref)
    const key = target?.fields.find((one) => one.field.key === field.config?.key)
    return target?.sampleSheetId && key?.column
      ? [{ field: field.key, sheetId: target.sampleSheetId, column: key.column, as: key.field }]
      : []
  }
  return sheet.fields
    .filter(({ field }) => isReference(getKind(field)))
    .flatMap(findTarget)
    .slice(0, MAX_REFERENCES)
}

export function useCheck(sheet: DraftSheet, sheets: readonly DraftSheet[]) {
  const { fields, constraints } = toSheetConfig(withCompleteRules(sheet))
  const columns = Object.fromEntries(sheet.fields.flatMap(({ field, column }) => (column ? [[field.key, column]] : [])))
  const request = useDelayed(
    JSON.stringify({ fields, constraints, columns, references: listReferences(sheet, sheets) }),
  )
  const sheetId = sheet.sampleSheetId
  return useQuery({
    queryKey: ['check-fields', sheetId, request],
    enabled: sheetId !== undefined && fields.length > 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<CheckResult> => {
      const params = { path: { sheetId: sheetId! } }
      const body = JSON.parse(request) as never
      return (await unwrap(api.POST('/api/v1/sheets/{sheetId}/check-fields', { params, body }))).data
    },
  })
}

export const findProblems = (result: CheckResult | undefined, key: string): FieldProblem[] =>
  result?.problems.filter(({ field, type }) => field === key && type === 'error') ?? []
