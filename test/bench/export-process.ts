/** The process `exportPeak` starts: streams a sheet as JSON lines and says how much memory it had at most. */
import { streamJsonl } from '../../lib/records/index.ts'
import { peakMegabytes } from '../support/peak-memory.ts'
import { benchSheet } from './records-data.ts'

const NEWLINE = 10
const [rows, sheetId] = process.argv.slice(2)
let lines = 0
for await (const buffer of streamJsonl(benchSheet(sheetId!), {}, { includeMessages: true }))
  for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, at + 1)) lines++
if (lines !== Number(rows)) throw new Error(`${lines} records came of ${rows}`)
process.send?.({ peak: peakMegabytes() })
process.disconnect()
