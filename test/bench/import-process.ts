/** The process `importPeak` starts: imports a bench's file and says how much memory it had at most. Loads nothing else. */
import { importRows, newStore } from '../../lib/records/index.ts'
import { peakMegabytes } from '../support/peak-memory.ts'
import { cellsOf } from './csv-object.ts'
import { benchSheet } from './records-data.ts'

const rows = Number(process.argv[2])
const ctx = { op: `import-${process.pid}`, actorId: 'us_usr_bench', at: () => new Date() }
const store = newStore({ sheetRows: rows })
const { created } = await importRows(benchSheet(`us_sh_${process.pid}`), cellsOf(rows), ctx, store)
if (created !== rows) throw new Error(`Imported ${created} rows of ${rows}`)
process.send?.({ peak: peakMegabytes() })
process.disconnect()
