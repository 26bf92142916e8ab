/** The record engine beside what it cannot do without: parsing, JSON.stringify, one conditional update. Ratios, not times. */
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { inferSchema, initParser } from 'udsv'
import type { RowBatch } from '../../lib/records/index.ts'
import { by, newSheetId, recordCloudApart } from '../support/records.ts'
import { benchSheet, csvOf, KEYS } from './records-data.ts'

export interface Row {
  what: string
  milliseconds: number
  reference: string
  referenceMilliseconds: number
  ratio: number
  /** The ratio to reach. */
  reach: number
}

const ROWS = 100_000
const CHUNK = 1 << 20

/** Rows of a CSV text in the batches a stream of 1 MB chunks gives. */
function* parsed(text: string): Generator<string[][]> {
  const schema = inferSchema(text.slice(0, 65_536))
  for (let from = text.indexOf('\n') + 1; from < text.length; ) {
    const to = from + CHUNK >= text.length ? text.length : text.lastIndexOf('\n', from + CHUNK) + 1
    yield initParser(schema).stringArrs(`${KEYS.join(',')}\n${text.slice(from, to)}`)
    from = to
  }
}

async function* batches(text: string): AsyncGenerator<RowBatch> {
  for (const rows of parsed(text)) yield { keys: KEYS, rows }
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!

/** Medians of two works run by turns, so that the machine's moods meet both. */
async function paired(
  rounds: number,
  work: () => Promise<unknown>,
  reference: () => Promise<unknown>,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds + 1; round++) {
    for (const [i, run] of [work, reference].entries()) {
      const start = performance.now()
      await run()
      // The first round warms up.
      if (round) times[i]!.push(performance.now() - start)
    }
  }
  return [median(times[0]), median(times[1])]
}

const row = (
  what: string,
  reference: string,
  [milliseconds, referenceMilliseconds]: [number, number],
  reach: number,
): Row => ({
  what,
  milliseconds,
  reference,
  referenceMilliseconds,
  ratio: milliseconds / referenceMilliseconds,
  reach,
})

/** Runs all cases against the embedded cloud in a process of its own; takes about half a minute. */
export async function bench(): Promise<Row[]> {
  const cloud = await recordCloudApart()
  try {
    return [await importCase(), ...(await pageCases()), ...(await editCases())]
  } finally {
    await cloud.close()
  }
}

async function importCase(): Promise<Row> {
  const { importRows, newStore } = await import('../../lib/records/index.ts')
  const text = csvOf(ROWS)
  const parse = async (): Promise<void> => {
    let count = 0
    for (const rows of parsed(text)) count += rows.length
    if (count !== ROWS) throw new Error(`Parsed ${count} rows of ${ROWS}`)
  }
  const load = (): Promise<unknown> => importRows(benchSheet(newSheetId()), batches(text), by(), newStore())
  return row('import of 100k x 12, stored and visible', 'parsing alone (uDSV)', await paired(5, load, parse), 3.5)
}

async function pageCases(): Promise<Row[]> {
  const { importRows, list, newStore } = await import('../../lib/records/index.ts')
  const sheet = benchSheet(newSheetId())
  await importRows(sheet, batches(csvOf(ROWS)), by(), newStore())
  const rows: Row[] = []
  for (const pageSize of [1000, 10_000]) {
    const { records } = await list(sheet, { pageSize, pageNumber: 3 })
    const values = JSON.parse(records.toString())
    const page = (): Promise<unknown> => list(sheet, { pageSize, pageNumber: 3 })
    const stringify = async (): Promise<unknown> => Buffer.from(JSON.stringify(values))
    rows.push(row(`page of ${pageSize} as JSON`, 'JSON.stringify of the same', await paired(15, page, stringify), 1))
    const cold = (): Promise<unknown> => list(sheet, { pageSize, pageNumber: 3 }, newStore())
    rows.push(row(`the same by a new process`, 'JSON.stringify of the same', await paired(7, cold, stringify), 3))
  }
  return rows
}

async function editCases(): Promise<Row[]> {
  const { importRows, newStore, update } = await import('../../lib/records/index.ts')
  const { dynamo, tableName } = await import('../../lib/table/client.ts')
  const sheet = benchSheet(newSheetId())
  const { ids } = await importRows(sheet, batches(csvOf(20_000)), by(), newStore())
  const all = [...ids]
  const stores = Array.from({ length: 8 }, () => newStore())
  let made = 0
  const edit = async (key: string, store = stores[0]): Promise<unknown> => {
    made++
    return update(
      sheet,
      [{ id: all[(made * 7919) % all.length]!, values: { [key]: { value: `v${made}` } } }],
      by(),
      store,
    )
  }
  const conditional = async (writer = 0): Promise<unknown> =>
    dynamo.send(
      new UpdateItemCommand({
        TableName: tableName(),
        Key: { pk: { S: `bench#${writer}` }, sk: { S: 'item' } },
        UpdateExpression: 'SET n = if_not_exists(n, :zero) + :one, body = :body',
        ConditionExpression: 'attribute_not_exists(n) OR n >= :zero',
        ExpressionAttributeValues: { ':zero': { N: '0' }, ':one': { N: '1' }, ':body': { S: 'x'.repeat(200) } },
      }),
    )
  const each = (count: number, work: (i: number) => Promise<unknown>) => async (): Promise<void> => {
    for (let i = 0; i < count; i++) await work(i)
  }
  const together = (work: (writer: number) => Promise<unknown>) => (): Promise<unknown> =>
    Promise.all(stores.map((_, writer) => each(10, () => work(writer))()))
  const one = 'one conditional UpdateItem each'
  return [
    row(
      '20 edits of one cell, one after another',
      one,
      await paired(
        7,
        each(20, () => edit('phone')),
        each(20, () => conditional()),
      ),
      6,
    ),
    row(
      '8 writers, 10 edits each',
      one,
      await paired(
        5,
        together((writer) => edit('city', stores[writer])),
        together(conditional),
      ),
      6,
    ),
    row(
      '8 writers, 10 edits each of a unique cell',
      one,
      await paired(
        3,
        together((writer) => edit('email', stores[writer])),
        together(conditional),
      ),
      12,
    ),
  ]
}
