/** Updates workbooks and their sheets, and derives the events from the differences. */
import { isDeepStrictEqual } from 'node:util'
import { message } from '../../schemas/messages/index.ts'
import * as sheetTopics from '../../schemas/sheets/events.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { MAX_FIELDS_PER_SHEET, SheetConfig } from '../../schemas/sheets/shape.ts'
import { assignSlugs, type BlueprintProblem, findNewProblems } from '../../schemas/workbooks/blueprint.ts'
import * as workbookTopics from '../../schemas/workbooks/events.ts'
import type { SheetUpdate } from '../../schemas/workbooks/shape.ts'
import { diffFields, mergeDefined } from '../core/diff.ts'
import { conflict, invalid, invalidField, notFound } from '../core/errors.ts'
import { type NewSheet, Sheets, type StoredSheet, sheetContext } from '../entities/sheets.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { TableUpdates } from '../entities/table-updates.ts'
import { type StoredWorkbook, Workbooks, workbookContext } from '../entities/workbooks.ts'
import type { Tx } from '../tx.ts'
import { createSheet, toStoredConfig, workbookNamespaces } from './create.ts'

type SheetChange = { type: 'field_added' | 'field_removed' | 'field_updated' | 'config_updated'; details: unknown }

function diffSheets(before: StoredSheet, after: NewSheet): SheetChange[] {
  const [previousFields, newFields] = [indexByKey(before.config.fields), indexByKey(after.config.fields)]
  const changes: SheetChange[] = []
  for (const [key, field] of newFields) {
    const previous = previousFields.get(key)
    if (!previous) changes.push({ type: 'field_added', details: { key, field } })
    else if (!isDeepStrictEqual(previous, field))
      changes.push({ type: 'field_updated', details: { key, previousValue: previous, newValue: field } })
  }
  for (const key of previousFields.keys())
    if (!newFields.has(key)) changes.push({ type: 'field_removed', details: { key } })
  const flattenSheet = ({ config: { fields: _, ...config }, ...sheet }: NewSheet) => ({ ...sheet, ...config })
  for (const change of diffFields(flattenSheet(before), flattenSheet(after)))
    if (!INHERITED_PROPERTIES.has(change.field)) changes.push({ type: 'config_updated', details: change })
  return changes
}

/** Copied from the parent, whose own event reports the change. */
const INHERITED_PROPERTIES: ReadonlySet<string> = new Set(['trackChanges', 'namespaces'])

const indexByKey = (fields: Field[]) => new Map(fields.map((field) => [field.key, field]))

export function updateSheet(tx: Tx, before: StoredSheet, after: NewSheet): NewSheet {
  if (isDeepStrictEqual(before, after)) return before
  const changes = diffSheets(before, after)
  const stamped = changes.length > 0 ? { ...after, updatedAt: tx.now } : after
  tx.write(Sheets.replace(before, stamped))
  const changesTable = before.table !== after.table || !isDeepStrictEqual(before.config.fields, after.config.fields)
  if ((before.table || after.table) && changesTable) tx.write(TableUpdates.request(before.id))
  if (changes.length === 0) return stamped
  tx.emit(
    sheetTopics.updated,
    sheetContext(after),
    { sheetId: before.id, workbookId: before.workbookId, changes },
    { namespaces: before.namespaces ?? [] },
  )
  return stamped
}

export function withField(sheet: StoredSheet, field: Field, index = sheet.config.fields.length): NewSheet {
  const { fields } = sheet.config
  if (fields.some(({ key }) => key === field.key)) throw conflict(message('records.fieldExists', { field: field.key }))
  if (fields.length >= MAX_FIELDS_PER_SHEET)
    throw invalidField('key', message('records.tooManyFields', { count: MAX_FIELDS_PER_SHEET }))
  return { ...sheet, config: { ...sheet.config, fields: fields.toSpliced(index, 0, field) } }
}

export function withoutField(sheet: StoredSheet, key: string): NewSheet {
  const fields = sheet.config.fields.filter((field) => field.key !== key)
  if (fields.length === sheet.config.fields.length) throw notFound('field', key)
  return { ...sheet, config: { ...sheet.config, fields } }
}

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
  updated: { index: number; sheet: NewSheet }[]
}

/** Matches sheets by id, then by slug. An unmatched update with a name and fields adds a sheet. */
export function updateWorkbook(
  tx: Tx,
  current: { workbook: StoredWorkbook; sheets: StoredSheet[]; space: StoredSpace },
  update: { sheets?: SheetUpdate[] | undefined } & Partial<StoredWorkbook>,
): WorkbookChanges {
  const { sheets: sheetUpdates = [], ...workbookUpdate } = update
  const changedWorkbook = mergeDefined(current.workbook, workbookUpdate)
  const namespaces = workbookNamespaces(current.space, changedWorkbook)
  const workbook = { ...changedWorkbook, namespaces }
  const trackChanges = workbook.settings?.trackChanges === true
  assertValidUpdates(current.sheets, sheetUpdates)
  const added: NewSheet[] = []
  const changed = new Map<string, NewSheet>()
  const updated: WorkbookChanges['updated'] = []
  for (const sheet of current.sheets) {
    const inherited = { trackChanges, namespaces: [...namespaces, ...getOwnNamespaces(sheet)] }
    const existing = { trackChanges: sheet.trackChanges ?? false, namespaces: sheet.namespaces ?? [] }
    if (!isDeepStrictEqual(existing, inherited)) changed.set(sheet.id, { ...sheet, ...inherited })
  }
  for (const [index, sheetUpdate] of sheetUpdates.entries()) {
    const match = findMatch(current.sheets, sheetUpdate)
    const existingSheets = [...current.sheets, ...added]
    const sheet = match
      ? applyUpdate(changed.get(match.id) ?? match, sheetUpdate, index)
      : addSheet(tx, workbook, sheetUpdate, { namespaces, appId: current.space.appId, existingSheets })
    if (match) changed.set(match.id, sheet)
    else added.push(sheet)
    updated.push({ index, sheet })
  }
  const sheets = current.sheets.map((sheet) => updateSheet(tx, sheet, changed.get(sheet.id) ?? sheet))
  return {
    workbook: writeWorkbook(tx, current.workbook, workbook, { added, namespaces }),
    sheets: [...sheets, ...added],
    updated,
  }
}

const findMatch = (sheets: readonly StoredSheet[], { id, slug }: SheetUpdate): StoredSheet | undefined =>
  sheets.find((sheet) => (id ? sheet.id === id : sheet.slug === slug))

function assertValidUpdates(current: readonly StoredSheet[], updates: readonly SheetUpdate[]): void {
  const sheets = updates.map((update) => {
    const match = findMatch(current, update)
    if (update.id && !match) throw notFound('sheet', update.id)
    return {
      id: match?.id,
      config: { ...match?.config, ...(match && { slug: match.slug }), ...parseUpdate(update).config },
    }
  })
  const before = current.map(({ id, config, slug }) => ({ ...config, id, slug }))
  const after = before.map((sheet) => ({
    ...sheet,
    ...sheets.findLast(({ id }) => id === sheet.id)?.config,
    id: sheet.id,
  }))
  const added = sheets.filter(({ id }) => id === undefined)
  const all = [...after, ...added.map(({ config }) => ({ ...config, id: undefined }))]
  const slugs = assignSlugs(all)
  const toProblem = ({ sheet, path, message: problem }: BlueprintProblem) => {
    const id = all[sheet]?.id
    const index =
      id === undefined ? sheets.indexOf(added[sheet - after.length]!) : sheets.findLastIndex((one) => one.id === id)
    return index >= 0
      ? { key: ['sheets', index, ...path].join('.'), message: problem }
      : { key: 'sheets', message: formatSheetProblem(slugs[sheet]!, path, problem) }
  }
  const problems = [
    ...sheets.flatMap(({ config }, index) => getConfigProblems(config, index)),
    ...findNewProblems(before, all).map(toProblem),
  ]
  if (problems.length > 0) throw invalid(problems)
}

function parseUpdate({ id, config, namespace, workbookId, createdAt: _, updatedAt: __, ...update }: SheetUpdate) {
  const sheetConfig = { ...toStoredConfig((config ?? {}) as SheetConfig), ...toStoredConfig(update as SheetConfig) }
  return { id, namespace, workbookId, config: sheetConfig as Partial<SheetConfig> }
}

const formatNamespace = (namespace: string): string => `sheet:${namespace}`
const getOwnNamespaces = ({ namespaces = [] }: NewSheet): string[] =>
  namespaces.filter((name) => name.startsWith('sheet:'))

function applyUpdate(sheet: NewSheet, update: SheetUpdate, index: number): NewSheet {
  const { config: sheetConfig, namespace, workbookId } = parseUpdate(update)
  if (workbookId !== undefined && workbookId !== sheet.workbookId)
    throw invalidField(`sheets.${index}.workbookId`, message('records.otherWorkbook'))
  const config = SheetConfig.parse({ ...sheet.config, ...sheetConfig })
  const inheritedNamespaces = (sheet.namespaces ?? []).filter((name) => !name.startsWith('sheet:'))
  return {
    ...sheet,
    ...(sheetConfig.metadata === undefined ? {} : { metadata: sheetConfig.metadata }),
    ...(sheetConfig.treatments ? { treatments: sheetConfig.treatments } : {}),
    ...(sheetConfig.collection ? { collection: sheetConfig.collection } : {}),
    ...(namespace === undefined ? {} : { namespace, namespaces: [...inheritedNamespaces, formatNamespace(namespace)] }),
    name: config.name,
    slug: sheetConfig.slug ?? sheet.slug,
    config: toStoredConfig(config),
  }
}

function addSheet(
  tx: Tx,
  workbook: StoredWorkbook,
  update: SheetUpdate,
  placement: { namespaces: string[]; appId: string | undefined; existingSheets: NewSheet[] },
): NewSheet {
  const { config: sheetConfig, namespace } = parseUpdate(update)
  const config = SheetConfig.parse(sheetConfig)
  const [slug = ''] = assignSlugs(
    [config],
    placement.existingSheets.map((sheet) => sheet.slug),
  )
  return createSheet(
    tx,
    workbook,
    { ...config, slug },
    {
      ...placement,
      ...(namespace ? { namespace, namespaces: [...placement.namespaces, formatNamespace(namespace)] } : {}),
      position: placement.existingSheets.length,
    },
  )
}

const getConfigProblems = (config: unknown, index: number) =>
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
    ...added.map((sheet) => buildSheetChange('sheet_added', sheet)),
    ...diffFields(before, after)
      .filter(({ field }) => !INHERITED_PROPERTIES.has(field))
      .map((details) => ({ type: 'config_updated' as const, details })),
  ]
  if (changes.length === 0) return before
  const stamped = { ...after, updatedAt: tx.now }
  tx.write(Workbooks.replace(before, stamped))
  tx.emit(
    workbookTopics.updated,
    workbookContext(before),
    { workbookId: before.id, spaceId: before.spaceId, changes },
    { namespaces },
  )
  return stamped
}

const buildSheetChange = <T extends 'sheet_added' | 'sheet_removed'>(type: T, { id, name, slug }: NewSheet) => ({
  type,
  details: { sheetId: id, name, slug },
})

export function emitSheetChange(tx: Tx, type: 'sheet_added' | 'sheet_removed', sheet: NewSheet): void {
  const { workbookId, spaceId, environmentId } = sheet
  tx.emit(
    workbookTopics.updated,
    { environmentId, spaceId, workbookId },
    { workbookId, spaceId, changes: [buildSheetChange(type, sheet)] },
    { namespaces: (sheet.namespaces ?? []).filter((name) => !name.startsWith('sheet:')) },
  )
}

const formatSheetProblem = (sheet: string, path: readonly (string | number)[], problem: string): string =>
  message('records.sheetProblem', { sheet, path: path.join('.'), problem })

/** @throws ApiError 400 for a broken reference */
export function assertReferencesIntact(
  siblings: readonly StoredSheet[],
  after: NewSheet,
  key: (path: readonly (string | number)[] | undefined) => string,
): void {
  const toBlueprintSheet = (sheet: NewSheet) => ({ ...sheet.config, id: sheet.id, name: sheet.name, slug: sheet.slug })
  const sheets = siblings.map((sheet) => (sheet.id === after.id ? after : sheet))
  const problems = findNewProblems(siblings.map(toBlueprintSheet), sheets.map(toBlueprintSheet))
  if (problems.length === 0) return
  throw invalid(
    problems.map(({ sheet, path, message: problem }) =>
      sheets[sheet]!.id === after.id
        ? { key: key(path), message: problem }
        : { key: key(undefined), message: formatSheetProblem(sheets[sheet]!.slug, path, problem) },
    ),
  )
}

/** @throws ApiError conflict, since references and clients identify sheets by slug */
export function assertUniqueSlugs(sheets: readonly NewSheet[]): void {
  const slugs = sheets.map(({ slug }) => slug)
  const duplicate = slugs.find((slug, i) => slugs.indexOf(slug) !== i)
  if (duplicate !== undefined) throw conflict(message('records.slugTaken', { slug: duplicate }))
}
