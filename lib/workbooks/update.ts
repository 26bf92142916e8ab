/** Changes a workbook and its sheets: what a field's, a sheet's or a workbook's change means in events. */
import { isDeepStrictEqual } from 'node:util'
import { type BlueprintProblem, newProblems, slugsOf } from '../../schemas/blueprint.ts'
import type { Field } from '../../schemas/fields.ts'
import { FIELDS_PER_SHEET, SheetConfig } from '../../schemas/sheet.ts'
import * as sheetTopics from '../../schemas/sheets.ts'
import type { SheetUpdate } from '../../schemas/workbooks.ts'
import * as workbookTopics from '../../schemas/workbooks.ts'
import { conflict, invalid, invalidField, notFound } from '../core/errors.ts'
import { changesBetween, merged } from '../entities/changes.ts'
import { type NewSheet, Sheets, type StoredSheet, sheetContext } from '../entities/sheets.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { type StoredWorkbook, Workbooks, workbookContext } from '../entities/workbooks.ts'
import type { Tx } from '../tx.ts'
import { createSheet, namespacesOf, sheetConfigOf } from './create.ts'

type SheetChange = { type: 'field_added' | 'field_removed' | 'field_updated' | 'config_updated'; details: unknown }

/** What turns one configuration into the other. */
function sheetChanges(before: StoredSheet, after: NewSheet): SheetChange[] {
  const [old, fresh] = [byKey(before.config.fields), byKey(after.config.fields)]
  const changes: SheetChange[] = []
  for (const [key, field] of fresh) {
    const previous = old.get(key)
    if (!previous) changes.push({ type: 'field_added', details: { key, field } })
    else if (!isDeepStrictEqual(previous, field))
      changes.push({ type: 'field_updated', details: { key, previousValue: previous, newValue: field } })
  }
  for (const key of old.keys()) if (!fresh.has(key)) changes.push({ type: 'field_removed', details: { key } })
  const without = ({ config: { fields: _, ...config }, ...sheet }: NewSheet) => ({ ...sheet, ...config })
  for (const change of changesBetween(without(before), without(after)))
    if (!COPIED.has(change.field)) changes.push({ type: 'config_updated', details: change })
  return changes
}

/** What sheets and workbooks have of what they are in, for their records and events: that tells of it. */
const COPIED: ReadonlySet<string> = new Set(['trackChanges', 'namespaces'])

const byKey = (fields: Field[]) => new Map(fields.map((field) => [field.key, field]))

/** Writes a changed sheet and emits sheet:updated; nothing when nothing changed. Answers the sheet as it is then. */
export function updateSheet(tx: Tx, before: StoredSheet, after: NewSheet): NewSheet {
  if (isDeepStrictEqual(before, after)) return before
  const changes = sheetChanges(before, after)
  const written = changes.length > 0 ? { ...after, updatedAt: tx.now } : after
  tx.write(Sheets.replace(before, written))
  if (changes.length === 0) return written
  tx.emit(
    sheetTopics.updated,
    sheetContext(after),
    { sheetId: before.id, workbookId: before.workbookId, changes },
    { namespaces: before.namespaces ?? [] },
  )
  return written
}

/** The sheet with the field added at `index` (at the end unless told). */
export function withField(sheet: StoredSheet, field: Field, index = sheet.config.fields.length): NewSheet {
  const { fields } = sheet.config
  if (fields.some(({ key }) => key === field.key)) throw conflict(`The sheet has a field ${field.key} already.`)
  if (fields.length >= FIELDS_PER_SHEET)
    throw invalidField('key', `a sheet may have at most ${FIELDS_PER_SHEET} fields`)
  return { ...sheet, config: { ...sheet.config, fields: fields.toSpliced(index, 0, field) } }
}

export function withoutField(sheet: StoredSheet, key: string): NewSheet {
  const fields = sheet.config.fields.filter((field) => field.key !== key)
  if (fields.length === sheet.config.fields.length) throw notFound('field', key)
  return { ...sheet, config: { ...sheet.config, fields } }
}

/** Removes a sheet and emits sheet:deleted; its records are removed in the background. */
export function removeSheet(tx: Tx, sheet: StoredSheet): void {
  tx.write(Sheets.remove(sheet))
  const { id: sheetId, workbookId, name, slug } = sheet
  tx.emit(
    sheetTopics.deleted,
    sheetContext(sheet),
    { sheetId, workbookId, name, slug },
    { namespaces: sheet.namespaces ?? [] },
  )
}

interface WorkbookChanges {
  workbook: StoredWorkbook
  sheets: NewSheet[]
}

/** Applies an update: sheets are matched by id, then slug; one that matches none and has a name and fields is new. */
export function updateWorkbook(
  tx: Tx,
  current: { workbook: StoredWorkbook; sheets: StoredSheet[]; space: StoredSpace },
  update: { sheets?: SheetUpdate[] | undefined } & Partial<StoredWorkbook>,
): WorkbookChanges {
  const { sheets: sheetUpdates = [], ...rest } = update
  const changedWorkbook = merged(current.workbook, rest)
  const namespaces = namespacesOf(current.space, changedWorkbook)
  const workbook = { ...changedWorkbook, namespaces }
  const trackChanges = workbook.settings?.trackChanges === true
  refuseInvalid(current.sheets, sheetUpdates)
  const added: NewSheet[] = []
  const changed = new Map<string, NewSheet>()
  for (const sheet of current.sheets) {
    const inherited = { trackChanges, namespaces: [...namespaces, ...ownNamespaces(sheet)] }
    const had = { trackChanges: sheet.trackChanges ?? false, namespaces: sheet.namespaces ?? [] }
    if (!isDeepStrictEqual(had, inherited)) changed.set(sheet.id, { ...sheet, ...inherited })
  }
  for (const [index, one] of sheetUpdates.entries()) {
    const match = matched(current.sheets, one)
    if (match) changed.set(match.id, updatedSheet(changed.get(match.id) ?? match, one, index))
    else
      added.push(
        addSheet(tx, workbook, one, {
          namespaces,
          appId: current.space.appId,
          taken: [...current.sheets, ...added],
        }),
      )
  }
  const sheets = current.sheets.map((sheet) => updateSheet(tx, sheet, changed.get(sheet.id) ?? sheet))
  return {
    workbook: writeWorkbook(tx, current.workbook, workbook, { added, namespaces }),
    sheets: [...sheets, ...added],
  }
}

const matched = (sheets: readonly StoredSheet[], { id, slug }: SheetUpdate): StoredSheet | undefined =>
  sheets.find((sheet) => (id ? sheet.id === id : sheet.slug === slug))

/** Validates the update of each sheet, and all sheets together as they would be. @throws 400 with every problem */
function refuseInvalid(current: readonly StoredSheet[], updates: readonly SheetUpdate[]): void {
  const sheets = updates.map((update) => {
    const match = matched(current, update)
    if (update.id && !match) throw notFound('sheet', update.id)
    return { id: match?.id, config: { ...match?.config, ...(match && { slug: match.slug }), ...told(update).config } }
  })
  const before = current.map(({ id, config, slug }) => ({ ...config, id, slug }))
  const after = before.map((sheet) => ({
    ...sheet,
    ...sheets.findLast(({ id }) => id === sheet.id)?.config,
    id: sheet.id,
  }))
  const added = sheets.filter(({ id }) => id === undefined)
  const all = [...after, ...added.map(({ config }) => ({ ...config, id: undefined }))]
  const slugs = slugsOf(all)
  const keyOf = ({ sheet, path, message }: BlueprintProblem) => {
    const id = all[sheet]?.id
    const index =
      id === undefined ? sheets.indexOf(added[sheet - after.length]!) : sheets.findLastIndex((one) => one.id === id)
    return index >= 0
      ? { key: ['sheets', index, ...path].join('.'), message }
      : { key: 'sheets', message: `${slugs[sheet]}, ${path.join('.')}: ${message}` }
  }
  const problems = [
    ...sheets.flatMap(({ config }, index) => configProblems(config, index)),
    ...newProblems(before, all).map(keyOf),
  ]
  if (problems.length > 0) throw invalid(problems)
}

/** What an update says of the configuration, in either of its forms, and what it says beside that. */
function told({ id, config, namespace, workbookId, createdAt: _, updatedAt: __, ...update }: SheetUpdate) {
  const own = { ...sheetConfigOf((config ?? {}) as SheetConfig), ...sheetConfigOf(update as SheetConfig) }
  return { id, namespace, workbookId, config: own as Partial<SheetConfig> }
}

const sheetNamespace = (namespace: string): string => `sheet:${namespace}`
const ownNamespaces = ({ namespaces = [] }: NewSheet): string[] =>
  namespaces.filter((name) => name.startsWith('sheet:'))

function updatedSheet(sheet: NewSheet, update: SheetUpdate, index: number): NewSheet {
  const { config: own, namespace, workbookId } = told(update)
  if (workbookId !== undefined && workbookId !== sheet.workbookId)
    throw invalidField(
      `sheets.${index}.workbookId`,
      'is not the workbook of the sheet, and a sheet stays in its workbook',
    )
  const config = SheetConfig.parse({ ...sheet.config, ...own })
  const others = (sheet.namespaces ?? []).filter((name) => !name.startsWith('sheet:'))
  return {
    ...sheet,
    ...(own.metadata === undefined ? {} : { metadata: own.metadata }),
    ...(own.treatments ? { treatments: own.treatments } : {}),
    ...(own.collection ? { collection: own.collection } : {}),
    ...(namespace === undefined ? {} : { namespace, namespaces: [...others, sheetNamespace(namespace)] }),
    name: config.name,
    slug: own.slug ?? sheet.slug,
    config: sheetConfigOf(config),
  }
}

function addSheet(
  tx: Tx,
  workbook: StoredWorkbook,
  update: SheetUpdate,
  place: { namespaces: string[]; appId: string | undefined; taken: NewSheet[] },
): NewSheet {
  const { config: own, namespace } = told(update)
  const config = SheetConfig.parse(own)
  const [slug = ''] = slugsOf(
    [config],
    place.taken.map((sheet) => sheet.slug),
  )
  return createSheet(
    tx,
    workbook,
    { ...config, slug },
    {
      ...place,
      ...(namespace ? { namespace, namespaces: [...place.namespaces, sheetNamespace(namespace)] } : {}),
      position: place.taken.length,
    },
  )
}

const configProblems = (config: unknown, index: number) =>
  (SheetConfig.safeParse(config).error?.issues ?? []).map(({ path, message }) => ({
    key: ['sheets', index, ...path].map(String).join('.'),
    message,
  }))

function writeWorkbook(
  tx: Tx,
  before: StoredWorkbook,
  after: StoredWorkbook,
  { added, namespaces }: { added: NewSheet[]; namespaces: string[] },
): StoredWorkbook {
  const changes = [
    ...added.map((sheet) => sheetChange('sheet_added', sheet)),
    ...changesBetween(before, after)
      .filter(({ field }) => !COPIED.has(field))
      .map((details) => ({ type: 'config_updated' as const, details })),
  ]
  if (changes.length === 0) return before
  const written = { ...after, updatedAt: tx.now }
  tx.write(Workbooks.replace(before, written))
  tx.emit(
    workbookTopics.updated,
    workbookContext(before),
    { workbookId: before.id, spaceId: before.spaceId, changes },
    { namespaces },
  )
  return written
}

const sheetChange = <T extends 'sheet_added' | 'sheet_removed'>(type: T, { id, name, slug }: NewSheet) => ({
  type,
  details: { sheetId: id, name, slug },
})

/** Tells of a workbook that a sheet of it came or went. */
export function tellOfSheet(tx: Tx, type: 'sheet_added' | 'sheet_removed', sheet: NewSheet): void {
  const { workbookId, spaceId, environmentId } = sheet
  tx.emit(
    workbookTopics.updated,
    { environmentId, spaceId, workbookId },
    { workbookId, spaceId, changes: [sheetChange(type, sheet)] },
    // Without the sheet's own.
    { namespaces: (sheet.namespaces ?? []).filter((name) => !name.startsWith('sheet:')) },
  )
}

/**
 * Refuses a sheet's change that leaves a reference without its sheet or field.
 * @param key of the request, by the path of a problem in the sheet itself; undefined for one in another sheet
 * @throws ApiError 400
 */
export function refuseBroken(
  siblings: readonly StoredSheet[],
  after: NewSheet,
  key: (path: readonly (string | number)[] | undefined) => string,
): void {
  const shown = (sheet: NewSheet) => ({ ...sheet.config, id: sheet.id, name: sheet.name, slug: sheet.slug })
  const sheets = siblings.map((sheet) => (sheet.id === after.id ? after : sheet))
  const problems = newProblems(siblings.map(shown), sheets.map(shown))
  if (problems.length === 0) return
  throw invalid(
    problems.map(({ sheet, path, message }) =>
      sheets[sheet]?.id === after.id
        ? { key: key(path), message }
        : { key: key(undefined), message: `${sheets[sheet]?.slug}, ${path.join('.')}: ${message}` },
    ),
  )
}

/** References and clients name sheets by their slugs. @throws ApiError conflict */
export function refuseSameSlugs(sheets: readonly NewSheet[]): void {
  const slugs = sheets.map(({ slug }) => slug)
  const twice = slugs.find((slug, i) => slugs.indexOf(slug) !== i)
  if (twice !== undefined) throw conflict(`The workbook would have two sheets with the slug ${twice}.`)
}
