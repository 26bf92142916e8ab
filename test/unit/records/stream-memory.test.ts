/** A stream of very many records in a process of its own, whose memory is watched. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(() => cloud.close())

it('takes 200,000 records of 12 fields out of a process that stays below 256 MB', { timeout: 60_000 }, async () => {
  const { benchSheet, csvOf, KEYS } = await import('../../bench/records-data.ts')
  const sheet = benchSheet(newSheetId())
  const rows = csvOf(20_000)
    .toString()
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(','))
  async function* batches() {
    for (let i = 0; i < 10; i++) yield { keys: KEYS, rows }
  }
  await engine.importRows({ ...sheet, fields: sheet.fields.map(({ key, type }) => ({ key, type })) }, batches(), by())
  const script = resolve(import.meta.dirname, '../../support/stream-records.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, sheet.sheetId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await once(child, 'close')
  const { lines, peakMegabytes } = JSON.parse(output)
  expect(lines).toBe(200_000)
  expect(peakMegabytes).toBeLessThan(256)
})
