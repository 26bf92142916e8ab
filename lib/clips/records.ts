/** Copies source records, and the records they refer to, into a clip. */
import { MAX_ADDITIONS_PER_CLIP } from '../../schemas/clips/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import type { SelectionQuery } from '../../schemas/records/selection.ts'
import { SheetConfig } from '../../schemas/sheets/shape.ts'
import { parseSelection } from '../commits/selection.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { assertUnlocked, createRecordWriter, prepareWrite } from '../commits/write.ts'
import { invalidField, notFound } from '../core/errors.ts'
import { deriveId } from '../core/ids.ts'
import { type NewSheet, Sheets, type StoredSheet } from '../entities/sheets.ts'
import { Spaces } from '../entities/spaces.ts'
import { Workbooks } from '../entities/workbooks.ts'
import * as engine from '../records/index.ts'
import { type Actor, begin } from '../tx.ts'
import { createSheet, workbookNamespaces } from '../workbooks/create.ts'
import { CLIP_TREATMENT, findReferencedSheet, getCopySlug } from './create.ts'
import type { ClipSheets } from './sheets.ts'

export async function resolveSelection(
  { source }: ClipSheets,
  query: SelectionQuery,
  recordIds: string[] | undefined,
): Promise<engine.Selection> {
  const selection = await parseSelection(source, query)
  const isSelecting = Object.keys(selection).length > 0
  if (recordIds === undefined && !isSelecting) throw invalidField('recordIds', message('clips.recordsRequired'))
  if (recordIds !== undefined && isSelecting) throw invalidField('recordIds', message('clips.recordsOrParameters'))
  return recordIds ? { ids: recordIds } : selection
}

export async function addRecords(
  sheets: ClipSheets,
  selection: engine.Selection,
  actor: Actor,
): Promise<{ commitId: string | undefined; created: number; counts: engine.Counts } | undefined> {
  const { source, copy } = sheets
  assertUnlocked(copy)
  const { ref, context, tell: publish } = prepareWrite(copy, { actor })
  const result = await engine.copyRecords(toSheetRef(source), selection, ref, context, {
    maxAdditions: MAX_ADDITIONS_PER_CLIP,
    // Runs first, so that the references of the copied records are validated against them.
    beforeWrite: async (batches) => {
      for (const reference of await listReferences(sheets)) await copyReferenced(sheets, reference, batches(), actor)
    },
  })
  return result && publish(result, { created: result.createdIds })
}

export const countClipRecords = ({ copy }: ClipSheets): Promise<engine.Counts> => engine.countRecords(toSheetRef(copy))

export async function refreshReferenced(sheets: ClipSheets, actor: Actor): Promise<void> {
  for (const reference of await listReferences(sheets)) {
    const fields = [...reference.fields.values()].flat()
    const values = await collectValues(engine.scanRecords(toSheetRef(sheets.copy), { fields }), reference)
    if (isEmpty(values)) continue
    const targetSheet = await getOrCreateReferencedSheet(sheets, reference.target, actor)
    const rows = engine.readCopyBatches(toSheetRef(reference.target), selectMatching(values))
    await createRecordWriter(targetSheet, { actor }).write(rows, { truncate: true })
  }
}

interface Reference {
  target: StoredSheet
  fields: Map<string, string[]>
}

async function listReferences({ source }: ClipSheets): Promise<Reference[]> {
  const siblings = await Sheets.inWorkbook(source.workbookId)
  const references = new Map<string, Reference>()
  for (const field of source.config.fields) {
    const target = findReferencedSheet(field, siblings)
    if (!target) continue
    const { key } = field.config as { key: string }
    const { fields } = references.get(target.id) ?? { fields: new Map<string, string[]>() }
    fields.set(key, [...(fields.get(key) ?? []), field.key])
    references.set(target.id, { target, fields })
  }
  return [...references.values()]
}

/** Wanted values by field of the target, as text, because references are compared as text. */
type WantedValues = Map<string, Set<string>>

const toComparableText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const isEmpty = (wanted: WantedValues): boolean => [...wanted.values()].every(({ size }) => size === 0)

async function collectValues(
  batches: AsyncIterable<{ columns: ReadonlyMap<string, readonly unknown[]> }>,
  { fields }: Reference,
): Promise<WantedValues> {
  const wanted: WantedValues = new Map([...fields.keys()].map((key) => [key, new Set<string>()]))
  for await (const { columns } of batches)
    for (const [key, fieldKeys] of fields)
      for (const value of fieldKeys.flatMap((field) => columns.get(field) ?? []))
        for (const item of Array.isArray(value) ? value : [value])
          if (item != null) wanted.get(key)!.add(toComparableText(item))
  return wanted
}

const selectMatching = (wanted: WantedValues): engine.Selection => ({
  where: {
    fields: [...wanted.keys()],
    test: (value) =>
      [...wanted].some(([key, values]) => value(key) != null && values.has(toComparableText(value(key)))),
  },
})

async function copyReferenced(
  sheets: ClipSheets,
  reference: Reference,
  batches: AsyncIterable<engine.CopiedBatch>,
  actor: Actor,
): Promise<void> {
  const wanted = await collectValues(batches, reference)
  if (isEmpty(wanted)) return
  const targetSheet = await getOrCreateReferencedSheet(sheets, reference.target, actor)
  for await (const { columns } of engine.scanRecords(toSheetRef(targetSheet), { fields: [...wanted.keys()] }))
    for (const [key, values] of wanted)
      for (const value of columns.get(key) ?? []) values.delete(toComparableText(value))
  if (isEmpty(wanted)) return
  await createRecordWriter(targetSheet, { actor }).importRows(
    engine.readCopyBatches(toSheetRef(reference.target), selectMatching(wanted)),
  )
}

/** Created on first use, and locked so that guests can only read it. */
async function getOrCreateReferencedSheet(
  { clip, source }: ClipSheets,
  target: StoredSheet,
  actor: Actor,
): Promise<StoredSheet> {
  const siblings = await Sheets.inWorkbook(clip.workbookId)
  const slug = getCopySlug(source, target)
  const existing = siblings.find((sheet) => sheet.slug === slug && sheet.id !== clip.clipSheetId)
  if (existing) return existing
  const [space, workbook] = await Promise.all([Spaces.get(clip.spaceId), Workbooks.get(clip.workbookId)])
  if (!space || !workbook) throw notFound('clip', clip.id)
  const tx = begin(actor)
  const created: NewSheet = createSheet(
    tx,
    workbook,
    { ...buildPlainConfig(target), slug },
    {
      // Two concurrent requests derive the same id, so one of them fails.
      id: deriveId('sheet', { time: Date.parse(clip.createdAt), sequence: 0, of: `${clip.id} ${slug}` }),
      position: siblings.length,
      namespaces: workbookNamespaces(space, workbook),
      appId: space.appId,
      isLocked: true,
    },
  )
  await tx.commit()
  return { ...created, rev: 1 }
}

/** Only values: the copies' own references are not shown and nothing is validated. */
function buildPlainConfig({ name, config }: StoredSheet): SheetConfig {
  const fields = config.fields.map(({ key, label, type, ...field }) => {
    const { config: fieldConfig, isArray } = field as { config?: object; isArray?: boolean }
    if (type === 'reference') return { key, label, type: isArray ? ('string-list' as const) : ('string' as const) }
    if (type === 'reference-list') return { key, label, type: 'string-list' as const }
    return { key, label, type, ...(fieldConfig ? { config: fieldConfig } : {}), ...(isArray ? { isArray } : {}) }
  })
  return SheetConfig.parse({ name, fields, treatments: [CLIP_TREATMENT] })
}
