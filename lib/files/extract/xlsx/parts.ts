/** The small parts of a workbook: which sheets it has and where, how cells are formatted, and the texts cells share. */
import { ARCHIVE_ENTRIES } from '../../../../schemas/files.ts'
import { unprocessable } from '../../../core/errors.ts'
import { type Attributes, localName, parseXml, type XmlHandler } from '../xml.ts'
import type { Archive, Entry } from '../zip/archive.ts'
import { type Format, formatOf } from './dates.ts'
import { SharedStrings } from './strings.ts'
import { unescaped } from './text.ts'

export interface SheetPart {
  name: string
  hidden: boolean
  entry: Entry
}

export interface Workbook {
  /** In the order of their tabs; charts and dialogs left out. */
  sheets: SheetPart[]
  /** Days are counted from 1904. */
  is1904: boolean
  styles: Entry | undefined
  sharedStrings: Entry | undefined
}

interface Relation {
  id: string
  /** The last part of its type: worksheet, styles, ... */
  kind: string
  /** Name of the entry. */
  target: string
}

/** Reads a whole part. */
async function readPart(entry: Entry, handler: XmlHandler): Promise<void> {
  const stream = await entry.stream()
  try {
    for await (const _ of parseXml(stream, handler, { part: entry.name }));
  } finally {
    stream.destroy()
  }
}

/** A handler of opening tags alone, by their local names. */
const opening = (open: (name: string, attributes: Attributes) => void): XmlHandler => ({
  open: (name, attributes) => open(localName(name), attributes),
  close: () => {},
  text: () => {},
})

/** Is this archive a workbook? Others are archives of files. */
export const isWorkbook = ({ entries }: Archive): boolean =>
  entries.has('[Content_Types].xml') && [...entries.keys()].some((name) => /(?:^|\/)workbook\.(?:xml|bin)$/.test(name))

/** @throws ApiError unprocessable for what is no workbook of this kind */
export async function readWorkbook({ entries }: Archive): Promise<Workbook> {
  const main = (await relationsOf(entries, '')).find(({ kind }) => kind === 'officeDocument')
  const path = main?.target ?? 'xl/workbook.xml'
  const entry = entries.get(path)
  if (path.endsWith('.bin'))
    throw unprocessable('The file is a binary Excel workbook (XLSB), which is not read: save it as XLSX and try again.')
  if (!entry) throw unprocessable(`The workbook is damaged: it has no ${path}.`)
  const relations = await relationsOf(entries, path)
  const named: { name: string; hidden: boolean; id: string }[] = []
  let is1904 = false
  await readPart(
    entry,
    opening((name, attributes) => {
      if (name === 'workbookPr') is1904 = isTrue(attributes.date1904)
      if (name !== 'sheet') return
      named.push({
        name: unescaped(attributes.name ?? ''),
        hidden: (attributes.state ?? 'visible') !== 'visible',
        id: idOf(attributes) ?? '',
      })
      // Each is a part of the archive, which has no more.
      if (named.length > ARCHIVE_ENTRIES) throw unprocessable(`The workbook has more than ${ARCHIVE_ENTRIES} sheets.`)
    }),
  )
  const part = (kind: string) => entries.get(relations.find((one) => one.kind === kind)?.target ?? '')
  return {
    sheets: sheetsOf(entries, relations, named),
    is1904,
    styles: part('styles'),
    sharedStrings: part('sharedStrings'),
  }
}

function sheetsOf(
  entries: Archive['entries'],
  relations: readonly Relation[],
  named: readonly { name: string; hidden: boolean; id: string }[],
): SheetPart[] {
  const byId = new Map(relations.toReversed().map((relation) => [relation.id, relation]))
  const read = new Set<Entry>()
  return named.flatMap(({ name, hidden, id }) => {
    const relation = byId.get(id)
    if (relation && relation.kind !== 'worksheet') return []
    const entry = entries.get(relation?.target ?? '')
    if (!entry) throw unprocessable(`The workbook is damaged: the sheet ${name} is not in it.`)
    if (read.has(entry))
      throw unprocessable(`The workbook is damaged: the sheet ${name} and another one are the same part of it.`)
    read.add(entry)
    return [{ name, hidden, entry }]
  })
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true' || text === 'on'

/** `r:id`, whatever the prefix. */
const idOf = (attributes: Attributes): string | undefined =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]

/** What a part refers to. */
async function relationsOf(entries: Archive['entries'], part: string): Promise<Relation[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const entry = entries.get(`${folder}_rels/${part.slice(folder.length)}.rels`)
  const found: Relation[] = []
  if (!entry) return found
  await readPart(
    entry,
    opening((name, { Id = '', Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship' || TargetMode === 'External') return
      found.push({ id: Id, kind: Type.slice(Type.lastIndexOf('/') + 1), target: resolved(folder, Target) })
    }),
  )
  return found
}

/** The entry's name a target means: from the root with a slash in front, else from the folder of the part. */
function resolved(folder: string, target: string): string {
  const names: string[] = []
  for (const name of (target.startsWith('/') ? target : `${folder}${target}`).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names.join('/')
}

/** Formats of a workbook at most; Excel writes up to 65,490. */
const FORMATS = 100_000

/** The format of cells by their style's number. */
export async function readFormats(entry: Entry | undefined): Promise<Format[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let inCells = false
  const handler = opening((name, attributes) => {
    if (name === 'cellXfs') inCells = true
    else if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
    else if (name === 'xf' && inCells) ids.push(Number(attributes.numFmtId ?? 0))
    if (codes.size > FORMATS || ids.length > FORMATS)
      throw unprocessable(`The workbook has more than ${FORMATS} formats.`)
  })
  if (entry)
    await readPart(entry, {
      ...handler,
      close: (name) => {
        if (localName(name) === 'cellXfs') inCells = false
      },
    })
  const known = new Map<number, Format>()
  return ids.map((id) => {
    const format = known.get(id) ?? formatOf(id, codes.get(id))
    known.set(id, format)
    return format
  })
}

/** The shared texts; runs of rich text are one text, phonetic readings are left out. */
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
        if (name === 'si') strings.add(unescaped(text))
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
