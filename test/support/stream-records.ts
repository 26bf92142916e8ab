/** Runs in its own process: streams a benchmark sheet as JSON lines and reports line count and memory. */

import { createBenchSheet } from '../../bench/records-data.ts'
import { streamJsonl } from '../../lib/records/index.ts'
import { readPeakMegabytes } from './peak-memory.ts'

const [sheetId, field] = process.argv.slice(2)
const { fields } = createBenchSheet(sheetId!)
const sheet = { sheetId: sheetId!, fields: fields.map(({ key, type }) => ({ key, type })) }
const NEWLINE = 10
let lines = 0
let bytes = 0
const start = performance.now()
for await (const buffer of streamJsonl(sheet, field ? { sort: { field, direction: 'asc' } } : {}, {
  includeMessages: true,
})) {
  bytes += buffer.length
  for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, at + 1)) lines++
}
const milliseconds = Math.round(performance.now() - start)
process.stdout.write(JSON.stringify({ lines, bytes, milliseconds, peakMegabytes: Math.round(readPeakMegabytes()) }))
