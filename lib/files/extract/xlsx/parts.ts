import { MAX_ENTRIES_PER_ARCHIVE } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { DeclaredWorkbook } from '../xlsb/workbook.ts'
import { type Attributes, localName, type XmlHandler } from '../xml.ts'
import type { Archive, Entry } from '../zip/archive.ts'
import { readPart } from '../zip/parse-entry.ts'
import { type Format, resolveFormat } from './dates.ts'
import { SharedStrings } from './strings.ts'
import { unescapeCellText } from './text.ts'

export interface SheetPart {
  name: string
  hidden: boolean
  entry: Entry
}

export interface Workbook {
  sheets: SheetPart[]
  is1904: boolean
  isBinary: boolean
  styles: Entry | undefined
  sharedStrings: Entry | undefined
}

interface Relation {
  id: string
  kind: string
  target: string
}

const onOpenTag = (open: (name: string, attributes: Attributes) => void): XmlHandler => ({
  open: (name, attributes) => open(localName(name), attributes),
  close: () => {},
  text: () => {},
})

export const isWorkbook = ({ entries }: Archive): boolean =>
  entries.has('[Content_Types].xml') && [...entries.keys()].some((name) => /(?:^|\/)workbook\.(?:xml|bin)$/.test(name))

export async function readWorkbook({ entries }: Archive): Promise<Workbook> {
  const main = (await readRelations(entries, '')).find(({ kind }) => kind === 'officeDocument')
  const path = main?.target ?? 'xl/workbook.xml'
  const entry = entries.get(path)
  if (!entry) throw unprocessable(message('files.workbookPartMissing', { part: path }))
  const relations = await readRelations(entries, path)
  const isBinary = path.endsWith('.bin')
  const { sheets, is1904 } = await (isBinary
    ? (await import('../xlsb/workbook.ts')).readDeclaredWorkbook(entry)
    : readDeclaredWorkbook(entry))
  const findEntry = (kind: string) => entries.get(relations.find((relation) => relation.kind === kind)?.target ?? '')
  return {
    sheets: resolveSheets(entries, relations, sheets),
    is1904,
    isBinary,
    styles: findEntry('styles'),
    sharedStrings: findEntry('sharedStrings'),
  }
}

async function readDeclaredWorkbook(entry: Entry): Promise<DeclaredWorkbook> {
  const workbook: DeclaredWorkbook = { sheets: [], is1904: false }
  await readPart(
    entry,
    onOpenTag((name, attributes) => {
      if (name === 'workbookPr') workbook.is1904 = isTrue(attributes.date1904)
      if (name !== 'sheet') return
      workbook.sheets.push({
        name: unescapeCellText(attributes.name ?? ''),
        hidden: (attributes.state ?? 'visible') !== 'visible',
        id: getRelationId(attributes) ?? '',
      })
      if (workbook.sheets.length > MAX_ENTRIES_PER_ARCHIVE)
        throw unprocessable(message('files.tooManySheets', { count: MAX_ENTRIES_PER_ARCHIVE }))
    }),
  )
  return workbook
}

function resolveSheets(
  entries: Archive['entries'],
  relations: readonly Relation[],
  declaredSheets: DeclaredWorkbook['sheets'],
): SheetPart[] {
  const byId = new Map(relations.toReversed().map((relation) => [relation.id, relation]))
  const usedEntries = new Set<Entry>()
  return declaredSheets.flatMap(({ name, hidden, id }) => {
    const relation = byId.get(id)
    if (relation && relation.kind !== 'worksheet') return []
    const entry = entries.get(relation?.target ?? '')
    if (!entry) throw unprocessable(message('files.sheetMissing', { sheet: name }))
    if (usedEntries.has(entry)) throw unprocessable(message('files.sheetShared', { sheet: name }))
    usedEntries.add(entry)
    return [{ name, hidden, entry }]
  })
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true' || text === 'on'

const getRelationId = (attributes: Attributes): string | undefined =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]

async function readRelations(entries: Archive['entries'], part: string): Promise<Relation[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const entry = entries.get(`${folder}_rels/${part.slice(folder.length)}.rels`)
  const relations: Relation[] = []
  if (!entry) return relations
  await readPart(
    entry,
    onOpenTag((name, { Id = '', Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship' || TargetMode === 'External') return
      relations.push({ id: Id, kind: Type.slice(Type.lastIndexOf('/') + 1), target: resolveTarget(folder, Target) })
    }),
  )
  return relations
}

function resolveTarget(folder: string, target: string): string {
  const names: string[] = []
  for (const name of (target.startsWith('/') ? target : `${folder}${target}`).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names.join('/')
}

/** Excel itself writes up to 65,490. */
const MAX_FORMATS = 100_000

export function assertFormatCount(codes: ReadonlyMap<number, string>, ids: readonly number[]): void {
  if (codes.size > MAX_FORMATS || ids.length > MAX_FORMATS)
    throw unprocessable(message('files.tooManyFormats', { count: MAX_FORMATS }))
}

export async function readFormats(entry: Entry | undefined): Promise<Format[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let inCells = false
  const handler = onOpenTag((name, attributes) => {
    if (name === 'cellXfs') inCells = true
    else if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
    else if (name === 'xf' && inCells) ids.push(Number(attributes.numFmtId ?? 0))
    assertFormatCount(codes, ids)
  })
  if (entry)
    await readPart(entry, {
      ...handler,
      close: (name) => {
        if (localName(name) === 'cellXfs') inCells = false
      },
    })
  return resolveFormats(codes, ids)
}

export function resolveFormats(codes: ReadonlyMap<number, string>, ids: readonly number[]): Format[] {
  const formatsById = new Map<number, Format>()
  return ids.map((id) => {
    const format = formatsById.get(id) ?? resolveFormat(id, codes.get(id))
    formatsById.set(id, format)
    return format
  })
}

export async function readSharedStrings(entry: Entry | undefined): Promise<SharedStrings> {
  const strings = new SharedStrings()
  if (!entry) return strings
  let text = ''
  let isText = false
  let isPhonetic = false
  try {
    await readPart(entry, {
      open: (qualified) => {
        const name = localName(qualified)
        if (name === 'si') text = ''
        else if (name === 'rPh') isPhonetic = true
        else if (name === 't') isText = !isPhonetic
      },
      close: (qualified) => {
        const name = localName(qualified)
        if (name === 'si') strings.add(unescapeCellText(text))
        else if (name === 'rPh') isPhonetic = false
        else if (name === 't') isText = false
      },
      text: (piece) => {
        if (isText) text += piece
      },
    })
    strings.end()
    return strings
  } catch (error) {
    strings.close()
    throw error
  }
}
