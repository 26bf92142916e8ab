/** The process `workbookPeak` starts: imports a bench's workbook and says how much memory it had at most. */
import { importRows, newStore } from '../../lib/records/index.ts'
import { peakMegabytes } from '../support/peak-memory.ts'
import { KEYS } from './records-data.ts'
import { workbookRows } from './xlsx-object.ts'

const [rows, size] = process.argv.slice(2).map(Number) as [number, number]
const ctx = { op: `import-${process.pid}`, actorId: 'us_usr_bench', at: () => new Date() }
const sheet = { sheetId: `us_sh_${process.pid}`, fields: KEYS.map((key) => ({ key, type: 'string' })) }
const { created } = await importRows(sheet, workbookRows(rows, size), ctx, newStore({ sheetRows: rows }))
if (created !== rows) throw new Error(`Imported ${created} rows of ${rows}`)
process.send?.({ peak: peakMegabytes() })
process.disconnect()
