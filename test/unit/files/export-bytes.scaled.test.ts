/** Exports have the bytes that encoders of plain values write. */

import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { expect, it, vi } from 'vitest'
import type { ExportedSheet } from '../../../lib/files/export/rows.ts'
import { EXPORTED_FIELDS, exportedRow, storeExportedRows } from '../../support/export-rows.ts'
import { encodeNaively, type NaiveTable } from '../../support/naive-exports.ts'
import { collectBytes } from '../../support/read-tables.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'

const { engine, importRows, remove, update } = await startRecordSuite()
const { Sheets } = await import('../../../lib/entities/sheets.ts')
const { writeJson, writeJsonLines } = await import('../../../lib/files/export/json.ts')
const { MESSAGES_HEADER, streamExportRows } = await import('../../../lib/files/export/rows.ts')
const { writeXlsx } = await import('../../../lib/files/export/workbook/xlsx.ts')
vi.spyOn(Sheets, 'inWorkbook').mockResolvedValue([])

const onRows = async () => {}

async function readTable({ sheet, fields, query }: ExportedSheet, messages: boolean): Promise<NaiveTable> {
  const { records } = await engine.readRecords({ sheetId: sheet.id, fields: sheet.config.fields }, query)
  const rows = records.map(({ values }) => {
    const texts = fields.flatMap(({ key, label }) =>
      values[key]!.messages.map(({ message }) => `${label || key}: ${message}`),
    )
    const cells = fields.map(({ key }) => values[key]!.value)
    return messages ? [...cells, texts.length > 0 ? texts.join('\n') : null] : cells
  })
  const keys = fields.map(({ key }) => key)
  const labels = fields.map(({ key, label }) => label ?? key)
  return {
    name: sheet.name,
    // A field has the key `Messages`, so the column of messages gets another one.
    keys: messages ? [...keys, keys.includes(MESSAGES_HEADER) ? `${MESSAGES_HEADER} 2` : MESSAGES_HEADER] : keys,
    header: messages ? [...labels, MESSAGES_HEADER] : labels,
    types: fields.map(({ type }) => type),
    rows,
  }
}

async function exportAll(exported: ExportedSheet, messages: boolean) {
  const { sheet, fields, query } = exported
  const options = { messages, onRows }
  const { header, types } = await readTable(exported, messages)
  const rows = (format: Parameters<typeof streamExportRows>[1]) => streamExportRows(exported, format, options)
  const workbook = unzipSync(await collectBytes(writeXlsx([{ name: sheet.name, header, types, rows }])))
  const csvQuery = { ...query, fields: fields.map(({ key }) => key) }
  const ref = { sheetId: sheet.id, fields: sheet.config.fields }
  const streamCsv = (neutralizeFormulas: boolean) =>
    engine.streamCsv(ref, csvQuery, { neutralizeFormulas, ...(messages ? { messages: MESSAGES_HEADER } : {}) })
  return {
    json: String(await collectBytes(writeJson([exported], options))),
    jsonl: String(await collectBytes(writeJsonLines(exported, options))),
    xlsx: Buffer.from(workbook['xl/worksheets/sheet1.xml']!).toString(),
    csv: String(await collectBytes(streamCsv(false))),
    guardedCsv: String(await collectBytes(streamCsv(true))),
  }
}

const sorts = fc.constantFrom(
  {},
  { sort: { field: '__d', direction: 'desc' as const } },
  { sort: { field: 'id', direction: 'asc' as const } },
)

it(
  'writes edited, sorted and partial sheets like a naive encoder',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(exportedRow, { minLength: 1, maxLength: 12 }),
        exportedRow,
        fc.boolean(),
        sorts,
        fc.subarray(EXPORTED_FIELDS, { minLength: 1 }),
        async (rows, edited, messages, sort, fields) => {
          const stored = await storeExportedRows(importRows, rows)
          const ref = { sheetId: stored.sheet.id, fields: stored.sheet.config.fields }
          const { records } = await engine.readRecords(ref, {})
          const values = Object.fromEntries(EXPORTED_FIELDS.map(({ key }, i) => [key, { value: edited[i] }]))
          await update(ref, [{ id: records[0]!.id, values }])
          if (records.length > 3) await remove(ref, { ids: [records[2]!.id] })
          const exported = { ...stored, fields: fields as typeof stored.fields, query: sort }
          expect(await exportAll(exported, messages)).toEqual(encodeNaively(await readTable(exported, messages)))
        },
      ),
      { numRuns: runs(60) },
    )
  },
  TIMEOUT_MS,
)

it('writes sheets without fields or records like a naive encoder', async () => {
  const stored = await storeExportedRows(importRows, [EXPORTED_FIELDS.map(() => 'x')])
  for (const messages of [false, true]) {
    for (const empty of [
      { ...stored, fields: [] },
      { ...stored, query: { filter: 'none' as const } },
    ])
      expect(await exportAll(empty, messages)).toEqual(encodeNaively(await readTable(empty, messages)))
  }
})
