/** What an action asks of the records it is called on, and whether it is so. */
import * as z from 'zod'
import type { Action, ActionConstraint } from '../../../schemas/action.ts'
import type { Problem } from '../../../schemas/errors.ts'
import type { Resource } from '../../auth/scopes.ts'
import { sheetRef } from '../../commits/sheet-ref.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { counts, read, type Selection } from '../../records/index.ts'
import { selectedBy } from '../offers/selected.ts'
import { columnOf, type Request } from './find.ts'

/** A job names at most this many records one by one. */
const IDS = 10_000

const Query = z.object({
  filter: z.enum(['valid', 'error', 'all', 'none']).nullish(),
  filterField: z.string().nullish(),
  searchValue: z.string().nullish(),
  searchField: z.string().nullish(),
  q: z.string().nullish(),
  ids: z.array(z.string()).max(IDS).nullish(),
  exceptions: z.array(z.string()).max(IDS).nullish(),
})

/** What is not as the action asks, under the constraint's name; nothing when all is. Throws 400 for a query that cannot be read. */
export async function constraintProblems(action: Action, resource: Resource, job: Request): Promise<Problem[]> {
  const constraints = constraintsOf(action)
  if (constraints.length === 0) return []
  const sheets = await sheetsOf(resource)
  // Of what has no records, such as a file, nothing about records is asked.
  if (!sheets) return []
  const selection = selectionOf(sheets, job)
  const found: Problem[] = []
  for (const constraint of constraints) {
    const why = await CHECKS[constraint.type]({ constraint, sheets, selection, job })
    if (why !== undefined) found.push({ key: constraint.type, message: `${action.label} cannot be called: ${why}.` })
  }
  return found
}

function constraintsOf({ constraints, requireAllValid, requireSelection }: Action): ActionConstraint[] {
  return [
    ...(constraints ?? []),
    ...(requireAllValid ? [{ type: 'hasAllValid' } as const] : []),
    ...(requireSelection ? [{ type: 'hasSelection' } as const] : []),
  ]
}

async function sheetsOf(resource: Resource): Promise<StoredSheet[] | undefined> {
  if (resource.kind === 'sheet') return [resource.sheet]
  return resource.kind === 'workbook' ? Sheets.inWorkbook(resource.workbook.id) : undefined
}

/** The records of a sheet that the job's subject means; undefined when it means none in particular. */
function selectionOf(sheets: readonly StoredSheet[], { subject }: Request): Selection | undefined {
  const [sheet, ...more] = sheets
  if (subject?.type !== 'collection' || !sheet || more.length > 0) return undefined
  const query = Query.safeParse(subject.query ?? {})
  if (!query.success) return undefined
  const entries = Object.entries(query.data).filter(([, value]) => value !== undefined && value !== null)
  if (entries.length === 0) return undefined
  const { exceptions, ...chosen } = Object.fromEntries(entries) as { exceptions?: string[]; ids?: string[] } & Selection
  const selection = selectedBy(sheet, chosen, 'subject.query.')
  if (!exceptions?.length) return selection
  return { ...selection, filter: selection.filter ?? 'all', ids: [...(selection.ids ?? []), ...exceptions] }
}

interface Question {
  constraint: ActionConstraint
  sheets: readonly StoredSheet[]
  selection: Selection | undefined
  job: Request
}
/** Why not; undefined when it is so. */
type Check = (question: Question) => Promise<string | undefined>

const CHECKS: Record<ActionConstraint['type'], Check> = {
  async hasData({ sheets }) {
    for (const sheet of sheets) if ((await counts(sheetRef(sheet))).total > 0) return undefined
    return 'there are no records'
  },
  async hasSelection({ sheets, selection }) {
    if (!selection) return 'no records are selected (the job names them in subject.query)'
    return (await countOf(sheets[0]!, selection)) > 0 ? undefined : 'the selection has no records'
  },
  async hasAllValid({ constraint, sheets, selection }) {
    const isOfSelection = selection && !(constraint.type === 'hasAllValid' && constraint.ignoreSelection)
    let errors = 0
    for (const sheet of sheets)
      errors += isOfSelection ? await errorsIn(sheet, selection) : (await counts(sheetRef(sheet))).error
    return errors === 0 ? undefined : `${errors} ${errors === 1 ? 'record has' : 'records have'} errors`
  },
  async hasColumnEnabled({ sheets, job }) {
    const column = columnOf(job)
    if (column === undefined) return 'it is called on no column (the job names it in subject.params.columnKey)'
    const sheet = sheets.find(({ config }) => config.fields.some(({ key }) => key === column))
    const field = sheet?.config.fields.find(({ key }) => key === column)
    if (!sheet || !field) return `there is no column ${column}`
    return field.readonly || sheet.config.readonly ? `the column ${column} is read-only` : undefined
  },
}

const countOf = async (sheet: StoredSheet, selection: Selection): Promise<number> =>
  (await read(sheetRef(sheet), { ...selection, pageSize: 1, includeMessages: false, includeLength: true })).total ?? 0

/** Selected records with an error. */
async function errorsIn(sheet: StoredSheet, selection: Selection): Promise<number> {
  if (selection.filter === 'valid' || selection.filter === 'none') return 0
  const { ids, ...narrowing } = selection
  const isIdsAlone = ids !== undefined && Object.keys(narrowing).length === 0
  if (!isIdsAlone) return countOf(sheet, { ...selection, filter: 'error' })
  // With a filter beside them the ids would be those left out.
  const { records } = await read(sheetRef(sheet), { ids, pageSize: IDS, includeMessages: false })
  return records.filter(({ valid }) => !valid).length
}
