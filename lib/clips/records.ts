/** Brings records of the source into a clip, and the records they refer to beside them. */
import * as clips from '../../schemas/clips.ts'
import type { SelectionQuery } from '../../schemas/selection.ts'
import { SheetConfig } from '../../schemas/sheet.ts'
import { selectionOf } from '../commits/selection.ts'
import { sheetRef } from '../commits/sheet-ref.ts'
import { refuseLocked, writeRecords, writing } from '../commits/write.ts'
import { invalidField, notFound } from '../core/errors.ts'
import { derivedId } from '../core/ids.ts'
import { type NewSheet, Sheets, type StoredSheet } from '../entities/sheets.ts'
import { Spaces } from '../entities/spaces.ts'
import { Workbooks } from '../entities/workbooks.ts'
import * as engine from '../records/index.ts'
import { type Actor, begin } from '../tx.ts'
import { createSheet, namespacesOf } from '../workbooks/create.ts'
import { CLIPPED, copySlugOf, referencedSheet } from './create.ts'
import type { ClipSheets } from './sheets.ts'

/**
 * Records to be copied: named by their ids, or selected by a query's parameters.
 * @throws ApiError invalid for both, for neither, and for fields and commits the source has not
 */
export async function selected(
  { source }: ClipSheets,
  query: SelectionQuery,
  recordIds: string[] | undefined,
): Promise<engine.Selection> {
  const selection = await selectionOf(source, query)
  const isSelecting = Object.keys(selection).length > 0
  if (recordIds === undefined && !isSelecting)
    throw invalidField('recordIds', 'is required, or parameters that select records')
  if (recordIds !== undefined && isSelecting)
    throw invalidField('recordIds', 'cannot go with parameters that select records')
  return recordIds ? { ids: recordIds } : selection
}

/** Copies the selected records that are not in the clip yet, as one commit with its events; undefined when all are. */
export async function addRecords(
  sheets: ClipSheets,
  selection: engine.Selection,
  actor: Actor,
): Promise<{ commitId: string | undefined; created: number; counts: engine.Counts } | undefined> {
  const { source, copy } = sheets
  refuseLocked(copy)
  const { ref, context, tell } = writing(copy, { actor })
  const result = await engine.copyInto(sheetRef(source), selection, ref, context, {
    additions: clips.ADDITIONS_PER_CLIP,
    // First, so that the references of the copied records are judged against them.
    before: async (batches) => {
      for (const reference of await referencesOf(sheets)) await bring(sheets, reference, batches(), actor)
    },
  })
  return result && tell(result, { created: result.createdIds })
}

/** What the clip's own sheet counts. */
export const countsIn = ({ copy }: ClipSheets): Promise<engine.Counts> => engine.counts(sheetRef(copy))

/** Copies the referenced records anew, as they are now. */
export async function refreshReferenced(sheets: ClipSheets, actor: Actor): Promise<void> {
  for (const reference of await referencesOf(sheets)) {
    const fields = [...reference.fields.values()].flat()
    const values = await valuesIn(engine.scan(sheetRef(sheets.copy), { fields }), reference)
    if (isNone(values)) continue
    const into = await referencedCopy(sheets, reference.target, actor)
    const rows = engine.copyOf(sheetRef(reference.target), among(values))
    await writeRecords(into, { actor }).write(rows, { truncate: true })
  }
}

/** A sheet the clipped one refers to. */
interface Reference {
  target: StoredSheet
  /** Fields of the clipped sheet, by the target's field they name records by. */
  fields: Map<string, string[]>
}

async function referencesOf({ source }: ClipSheets): Promise<Reference[]> {
  const siblings = await Sheets.inWorkbook(source.workbookId)
  const found = new Map<string, Reference>()
  for (const field of source.config.fields) {
    const target = referencedSheet(field, siblings)
    if (!target) continue
    const { key } = field.config as { key: string }
    const { fields } = found.get(target.id) ?? { fields: new Map<string, string[]>() }
    fields.set(key, [...(fields.get(key) ?? []), field.key])
    found.set(target.id, { target, fields })
  }
  return [...found.values()]
}

/** Values looked for, by the target's field: texts, which are what references are compared by. */
type Wanted = Map<string, Set<string>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const isNone = (wanted: Wanted): boolean => [...wanted.values()].every(({ size }) => size === 0)

async function valuesIn(
  batches: AsyncIterable<{ columns: ReadonlyMap<string, readonly unknown[]> }>,
  { fields }: Reference,
): Promise<Wanted> {
  const wanted: Wanted = new Map([...fields.keys()].map((key) => [key, new Set<string>()]))
  for await (const { columns } of batches)
    for (const [key, own] of fields)
      for (const value of own.flatMap((field) => columns.get(field) ?? []))
        for (const one of Array.isArray(value) ? value : [value]) if (one != null) wanted.get(key)!.add(textOf(one))
  return wanted
}

const among = (wanted: Wanted): engine.Selection => ({
  where: {
    fields: [...wanted.keys()],
    test: (value) => [...wanted].some(([key, values]) => value(key) != null && values.has(textOf(value(key)))),
  },
})

/** Adds what the batches name and is not there yet. */
async function bring(
  sheets: ClipSheets,
  reference: Reference,
  batches: AsyncIterable<engine.CopiedBatch>,
  actor: Actor,
): Promise<void> {
  const wanted = await valuesIn(batches, reference)
  if (isNone(wanted)) return
  const into = await referencedCopy(sheets, reference.target, actor)
  for await (const { columns } of engine.scan(sheetRef(into), { fields: [...wanted.keys()] }))
    for (const [key, values] of wanted) for (const value of columns.get(key) ?? []) values.delete(textOf(value))
  if (isNone(wanted)) return
  await writeRecords(into, { actor }).importRows(engine.copyOf(sheetRef(reference.target), among(wanted)))
}

/** The clip's sheet for records of the target: made when it is first needed, locked, so that guests read it only. */
async function referencedCopy({ clip, source }: ClipSheets, target: StoredSheet, actor: Actor): Promise<StoredSheet> {
  const siblings = await Sheets.inWorkbook(clip.workbookId)
  const slug = copySlugOf(source, target)
  const known = siblings.find((sheet) => sheet.slug === slug && sheet.id !== clip.clipSheetId)
  if (known) return known
  const [space, workbook] = await Promise.all([Spaces.get(clip.spaceId), Workbooks.get(clip.workbookId)])
  if (!space || !workbook) throw notFound('data clip', clip.id)
  const tx = begin(actor)
  const made: NewSheet = createSheet(
    tx,
    workbook,
    { ...plainConfig(target), slug },
    {
      // The same of two requests at once: one of them fails.
      id: derivedId('sheet', { time: Date.parse(clip.createdAt), sequence: 0, of: `${clip.id} ${slug}` }),
      position: siblings.length,
      namespaces: namespacesOf(space, workbook),
      appId: space.appId,
      isLocked: true,
    },
  )
  await tx.commit()
  return { ...made, rev: 1 }
}

/** Values alone: what these records refer to themselves is not shown, and nothing is judged. */
function plainConfig({ name, config }: StoredSheet): SheetConfig {
  const fields = config.fields.map(({ key, label, type, ...field }) => {
    const { config: own, isArray } = field as { config?: object; isArray?: boolean }
    if (type === 'reference') return { key, label, type: isArray ? ('string-list' as const) : ('string' as const) }
    if (type === 'reference-list') return { key, label, type: 'string-list' as const }
    return { key, label, type, ...(own ? { config: own } : {}), ...(isArray ? { isArray } : {}) }
  })
  return SheetConfig.parse({ name, fields, treatments: [CLIPPED] })
}
