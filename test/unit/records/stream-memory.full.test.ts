/** Streams very many records in a separate process and checks its memory. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { importRows } = await startRecordSuite()

// Without a limit, the heap's size depends on when a busy machine collects garbage.
const HEAP_LIMIT = ['--max-old-space-size=96', '--max-semi-space-size=4']

it('streams 200,000 records of 12 fields from a process below 200 MB', { timeout: 60_000 }, async () => {
  const { createBenchSheet, buildCsv, KEYS } = await import('../../../bench/records-data.ts')
  const sheet = createBenchSheet(newSheetId())
  const rows = buildCsv(20_000)
    .toString()
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(','))
  async function* batches() {
    for (let i = 0; i < 10; i++) yield { keys: KEYS, rows }
  }
  await importRows({ ...sheet, fields: sheet.fields.map(({ key, type }) => ({ key, type })) }, batches())
  const script = resolve(import.meta.dirname, '../../support/stream-records.ts')
  const child = spawn(process.execPath, [...HEAP_LIMIT, '--import', 'tsx', script, sheet.sheetId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await once(child, 'close')
  const { lines, peakMegabytes } = JSON.parse(output)
  expect(lines).toBe(200_000)
  expect(peakMegabytes).toBeLessThan(200)
})
