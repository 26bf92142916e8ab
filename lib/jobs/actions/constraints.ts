import * as z from 'zod'
import type { Action, ActionConstraint } from '../../../schemas/actions/shape.ts'
import type { Problem } from '../../../schemas/kit/error-codes.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { Resource } from '../../auth/load-resource.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { countRecords, readRecords, type Selection } from '../../records/index.ts'
import { buildSelection } from '../request/selected-records.ts'
import { type ActionRequest, getColumn } from './resolve-action.ts'

const MAX_IDS = 10_000

const SubjectQuery = z.object({
  filter: z.enum(['valid', 'error', 'all', 'none']).nullish(),
  filterField: z.string().nullish(),
  searchValue: z.string().nullish(),
  searchField: z.string().nullish(),
  q: z.string().nullish(),
  ids: z.array(z.string()).max(MAX_IDS).nullish(),
  exceptions: z.array(z.string()).max(MAX_IDS).nullish(),
})

export async function checkConstraints(action: Action, resource: Resource, job: ActionRequest): Promise<Problem[]> {
  const constraints = getConstraints(action)
  if (constraints.length === 0) return []
  const sheets = await getSheets(resource)
  if (!sheets) return []
  const selection = parseSubjectSelection(sheets, job)
  const problems: Problem[] = []
  for (const constraint of constraints) {
    const reason = await CHECKS[constraint.type]({ constraint, sheets, selection, job })
    if (reason !== undefined)
      problems.push({ key: constraint.type, message: message('actions.cannotRun', { action: action.label, reason }) })
  }
  return problems
}

function getConstraints({ constraints, requireAllValid, requireSelection }: Action): ActionConstraint[] {
  return [
    ...(constraints ?? []),
    ...(requireAllValid ? [{ type: 'hasAllValid' } as const] : []),
    ...(requireSelection ? [{ type: 'hasSelection' } as const] : []),
  ]
}

async function getSheets(resource: Resource): Promise<StoredSheet[] | undefined> {
  if (resource.kind === 'sheet') return [resource.sheet]
  return resource.kind === 'workbook' ? Sheets.inWorkbook(resource.workbook.id) : undefined
}

function parseSubjectSelection(sheets: readonly StoredSheet[], { subject }: ActionRequest): Selection | undefined {
  const [sheet, ...otherSheets] = sheets
  if (subject?.type !== 'collection' || !sheet || otherSheets.length > 0) return undefined
  const query = SubjectQuery.safeParse(subject.query ?? {})
  if (!query.success) return undefined
  const entries = Object.entries(query.data).filter(([, value]) => value !== undefined && value !== null)
  if (entries.length === 0) return undefined
  const { exceptions, ...criteria } = Object.fromEntries(entries) as {
    exceptions?: string[]
    ids?: string[]
  } & Selection
  const selection = buildSelection(sheet, criteria, 'subject.query.')
  if (!exceptions?.length) return selection
  return { ...selection, filter: selection.filter ?? 'all', ids: [...(selection.ids ?? []), ...exceptions] }
}

interface ConstraintContext {
  constraint: ActionConstraint
  sheets: readonly StoredSheet[]
  selection: Selection | undefined
  job: ActionRequest
}
type Check = (context: ConstraintContext) => Promise<string | undefined>

const CHECKS: Record<ActionConstraint['type'], Check> = {
  async hasData({ sheets }) {
    for (const sheet of sheets) if ((await countRecords(toSheetRef(sheet))).total > 0) return undefined
    return message('actions.noRecords')
  },
  async hasSelection({ sheets, selection }) {
    if (!selection) return message('actions.noSelection')
    return (await countSelected(sheets[0]!, selection)) > 0 ? undefined : message('actions.emptySelection')
  },
  async hasAllValid({ constraint, sheets, selection }) {
    const appliesToSelection = selection && !(constraint.type === 'hasAllValid' && constraint.ignoreSelection)
    let errors = 0
    for (const sheet of sheets)
      errors += appliesToSelection ? await countErrors(sheet, selection) : (await countRecords(toSheetRef(sheet))).error
    return errors === 0 ? undefined : message('actions.recordsWithErrors', { count: errors })
  },
  async hasColumnEnabled({ sheets, job }) {
    const column = getColumn(job)
    if (column === undefined) return message('actions.noColumn')
    const sheet = sheets.find(({ config }) => config.fields.some(({ key }) => key === column))
    const field = sheet?.config.fields.find(({ key }) => key === column)
    if (!sheet || !field) return message('actions.unknownColumn', { column })
    return field.readonly || sheet.config.readonly ? message('actions.readOnlyColumn', { column }) : undefined
  },
}

const countSelected = async (sheet: StoredSheet, selection: Selection): Promise<number> =>
  (await readRecords(toSheetRef(sheet), { ...selection, pageSize: 1, includeMessages: false, includeLength: true }))
    .total ?? 0

async function countErrors(sheet: StoredSheet, selection: Selection): Promise<number> {
  if (selection.filter === 'valid' || selection.filter === 'none') return 0
  const { ids, ...otherCriteria } = selection
  const hasOnlyIds = ids !== undefined && Object.keys(otherCriteria).length === 0
  if (!hasOnlyIds) return countSelected(sheet, { ...selection, filter: 'error' })
  const { records } = await readRecords(toSheetRef(sheet), { ids, pageSize: MAX_IDS, includeMessages: false })
  return records.filter(({ valid }) => !valid).length
}
