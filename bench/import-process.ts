import { createStore, importRows } from '../lib/records/index.ts'
import { readPeakMegabytes } from '../test/support/peak-memory.ts'
import { readStoredCells } from './csv-object.ts'
import { createBenchSheet } from './records-data.ts'

const rows = Number(process.argv[2])
const ctx = { op: `import-${process.pid}`, actorId: 'us_usr_bench', at: () => new Date() }
const store = createStore({ sheetRows: rows })
const { created } = await importRows(createBenchSheet(`us_sh_${process.pid}`), readStoredCells(rows), ctx, store)
if (created !== rows) throw new Error(`Imported ${created} rows of ${rows}`)
process.send?.({ peak: readPeakMegabytes() })
process.disconnect()
