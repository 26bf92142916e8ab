/** A page of records as JSON columns, copied as bytes: keys are written once, and empty properties of rows not at all. */
import {
  type ByteWriter,
  copyRange,
  createByteWriter,
  writeByte,
  writeBytes,
  writeString,
} from '../columns/byte-writer.ts'
import { CONFIG, MESSAGES, METADATA } from '../format/column-names.ts'
import { formatCommitId, formatRecordIdPrefix } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { type CellReader, createCellReader, seek } from '../segments/cells.ts'
import { createMessageLookup, type OpenSegment, openAll } from '../segments/open.ts'
import type { ListQuery, SheetRef } from '../sheet.ts'
import { toCoordinate } from '../state/state.ts'
import { loadLinks } from './links.ts'
import { selectPage } from './list.ts'
import type { LinkTexts } from './render.ts'
import { openView, type View } from './view.ts'

interface IdRange {
  prefix: string
  first: number
  count: number
}

const COMMA = 44
const NULL = Buffer.from('null')
const CLOSING_BRACE = Buffer.from('}')

export async function listColumns(sheet: SheetRef, query: ListQuery, store: Store = processStore): Promise<Buffer> {
  const view = await openView(store, sheet, query.asOf)
  const { parts } = await selectPage(store, sheet, view, query)
  const links = query.includeLinks ? await loadLinks(store, sheet, parts, query) : undefined
  const page = createPage(view, query, links)
  const segments = parts.map(({ segment }) => segment)
  let index = 0
  for await (const open of openAll(store, segments, page.names)) page.add(open, parts[index++]!.rows)
  return page.end()
}

function createPage({ state, rules }: View, query: ListQuery, links: LinkTexts | undefined) {
  const requestedKeys = query.fields && new Set(query.fields)
  const fields = rules.fields.filter(({ key }) => !requestedKeys || requestedKeys.has(key))
  const showMessages = query.includeMessages !== false
  const columns = fields.map(() => createByteWriter())
  const lists = { messages: createByteWriter(), metadata: createByteWriter(), config: createByteWriter() }
  const linkList = createByteWriter()
  const ids: IdRange[] = []
  let count = 0

  function addIds(open: OpenSegment, rows: readonly number[]): void {
    for (const row of rows) {
      const at = toCoordinate(open.segment, row)
      const prefix = formatRecordIdPrefix(rules.sheetId, at.key)
      const last = ids.at(-1)
      if (last?.prefix === prefix && last.first + last.count === at.row) last.count++
      else ids.push({ prefix, first: at.row, count: 1 })
    }
  }

  function addMessages(open: OpenSegment, rows: readonly number[]): void {
    const getMessages = createMessageLookup(open, rules)
    rows.forEach((row, i) => {
      const messages = getMessages(row)
      if (!messages) return
      for (const { key } of fields) {
        const found = messages.get(key)
        if (found?.length) writeItem(lists.messages, JSON.stringify({ row: count + i, field: key, messages: found }))
      }
    })
  }

  function addLinks(open: OpenSegment, rows: readonly number[]): void {
    for (const { key } of fields) {
      const getLinks = links?.(key, open.segment)
      if (!getLinks) continue
      rows.forEach((row, i) => {
        const found = getLinks(row)
        if (!found) return
        writeItem(linkList, JSON.stringify({ row: count + i, field: key }).slice(0, -1))
        writeBytes(linkList, found)
        writeBytes(linkList, CLOSING_BRACE)
      })
    }
  }

  return {
    names: [...fields.map(({ column }) => column), METADATA, CONFIG, ...(showMessages ? [MESSAGES] : [])],
    add(open: OpenSegment, rows: readonly number[]): void {
      addIds(open, rows)
      fields.forEach(({ column }, i) => {
        writeColumn(columns[i]!, createCellReader(open, column, rows), rows)
      })
      writeObjects(lists.metadata, createCellReader(open, METADATA, rows), rows, count)
      writeObjects(lists.config, createCellReader(open, CONFIG, rows), rows, count)
      if (showMessages) addMessages(open, rows)
      addLinks(open, rows)
      count += rows.length
    },
    end(): Buffer {
      const commitId = state.lastCommit === undefined ? undefined : formatCommitId(state.sheetId, state.lastCommit)
      const head = { success: true, count, ids, commitId, versionId: commitId }
      const text = (out: ByteWriter) => out.bytes.subarray(0, out.length)
      return Buffer.concat([
        Buffer.from(`${JSON.stringify(head).slice(1, -1)},"columns":{`),
        ...fields.flatMap(({ key }, i) => [
          Buffer.from(`${i ? ',' : ''}${JSON.stringify(key)}:[`),
          text(columns[i]!),
          Buffer.from(']'),
        ]),
        Buffer.from('}'),
        ...Object.entries({ ...lists, links: linkList }).flatMap(([name, list]) => [
          Buffer.from(`,"${name}":[`),
          text(list),
          Buffer.from(']'),
        ]),
      ])
    },
  }
}

function writeItem(out: ByteWriter, json: string): void {
  if (out.length) writeByte(out, COMMA)
  writeString(out, json)
}

function writeColumn(out: ByteWriter, cells: CellReader | undefined, rows: readonly number[]): void {
  for (let i = 0; i < rows.length; i++) {
    if (out.length) writeByte(out, COMMA)
    if (cells && seek(cells, i, rows[i]!)) copyRange(out, cells.bytes, cells.from, cells.to)
    else writeBytes(out, NULL)
  }
}

function writeObjects(out: ByteWriter, cells: CellReader | undefined, rows: readonly number[], first: number): void {
  if (!cells) return
  for (let i = 0; i < rows.length; i++) {
    if (!seek(cells, i, rows[i]!)) continue
    writeItem(out, `{"row":${first + i},"value":`)
    copyRange(out, cells.bytes, cells.from, cells.to)
    writeBytes(out, CLOSING_BRACE)
  }
}
