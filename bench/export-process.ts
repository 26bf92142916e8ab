import { streamJsonl } from '../lib/records/index.ts'
import { readPeakMegabytes } from '../test/support/peak-memory.ts'
import { createBenchSheet } from './records-data.ts'

const NEWLINE = 10
const [rows, sheetId] = process.argv.slice(2)
let lines = 0
for await (const buffer of streamJsonl(createBenchSheet(sheetId!), {}, { includeMessages: true }))
  for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, at + 1)) lines++
if (lines !== Number(rows)) throw new Error(`${lines} records came of ${rows}`)
process.send?.({ peak: readPeakMegabytes() })
process.disconnect()
