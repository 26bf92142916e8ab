import { createStore, importRows } from '../lib/records/index.ts'
import { readPeakMegabytes } from '../test/support/peak-memory.ts'
import { KEYS } from './records-data.ts'
import { readWorkbookRows } from './xlsx-object.ts'

const [rows, size] = process.argv.slice(2).map(Number) as [number, number]
const ctx = { op: `import-${process.pid}`, actorId: 'us_usr_bench', at: () => new Date() }
const sheet = { sheetId: `us_sh_${process.pid}`, fields: KEYS.map((key) => ({ key, type: 'string' })) }
const { created } = await importRows(sheet, readWorkbookRows(rows, size), ctx, createStore({ sheetRows: rows }))
if (created !== rows) throw new Error(`Imported ${created} rows of ${rows}`)
process.send?.({ peak: readPeakMegabytes() })
process.disconnect()
