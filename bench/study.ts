/** Compares the engine with its prototype's recorded times, scaled to this machine's parsing speed and S3 latency. */
import { mapConcurrent } from '../lib/core/concurrency.ts'
import { PARSING } from './records-import.ts'
import { type BenchRow, median } from './row.ts'

const PROTOTYPE_PARSE_MS = 104
const PARSED_ROWS = 100_000
const SEGMENT_ROWS = 10_000

interface Figure {
  what: string
  at100k: number
  at1m?: number
  gets?: number | 'segments'
  puts?: 'segments'
}

const FIGURES: readonly Figure[] = [
  { what: 'CSV in S3 to records, 12 typed fields', at100k: 229, at1m: 2300, puts: 'segments' },
  { what: 'page of 1000', at100k: 8, at1m: 11, gets: 2 },
  { what: 'page of 10000', at100k: 22, at1m: 23, gets: 2 },
  { what: 'second page of 100 with errors', at100k: 19, at1m: 32 },
  { what: 'counts', at100k: 3, at1m: 4 },
  { what: 'sort by a number, first 100 records', at100k: 73, at1m: 720, gets: 'segments' },
  { what: 'sort by a text, first 100 records', at100k: 84, at1m: 930, gets: 'segments' },
  { what: 'search in all columns', at100k: 57, at1m: 500, gets: 'segments' },
  { what: 'distinct values of a column', at100k: 15, at1m: 130, gets: 'segments' },
  { what: 'snapshot', at100k: 8, at1m: 23 },
  { what: 'restore after an edit', at100k: 8, at1m: 13 },
  { what: 'deleting a tenth by query', at100k: 24, at1m: 130, gets: 'segments' },
  { what: '8 writers, 10 edits each', at100k: 183 },
]

const REACH = 1.5

export async function comparePrototype(measured: readonly BenchRow[]): Promise<BenchRow[]> {
  const findRow = (what: string, rows: number) => measured.find((row) => row.what === what && row.rows === rows)
  const parsing = measured.filter(({ reference, rows }) => reference === PARSING && rows === PARSED_ROWS)
  if (parsing.length === 0) return []
  const speed = Math.min(...parsing.map(({ referenceValue }) => referenceValue)) / PROTOTYPE_PARSE_MS
  const [get, put] = await measureRequests()
  return FIGURES.flatMap((figure) =>
    (
      [
        [100_000, figure.at100k],
        [1_000_000, figure.at1m],
      ] as const
    ).flatMap(([rows, prototypeMs]): BenchRow[] => {
      const ours = findRow(figure.what, rows)
      if (!ours || prototypeMs === undefined) return []
      const segments = rows / SEGMENT_ROWS
      const countRequests = (requests: number | 'segments' = 0): number =>
        requests === 'segments' ? segments : requests
      const referenceValue = prototypeMs * speed + countRequests(figure.gets) * get + countRequests(figure.puts) * put
      const what = `prototype: ${figure.what}`
      return [
        { what, rows, value: ours.value, reference: 'its time, scaled to this machine', referenceValue, target: REACH },
      ]
    }),
  )
}

const READ_BYTES = 32 * 1024
const WRITTEN_BYTES = 370 * 1024
const REQUESTS = 40
const CONCURRENCY = 4
const ROUNDS = 5

async function measureRequests(): Promise<[get: number, put: number]> {
  const { getRange, putObject } = await import('../lib/objects/store.ts')
  const written = Buffer.alloc(WRITTEN_BYTES, 'bench')
  const measureRequest = async (request: (index: number) => Promise<unknown>): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now()
      await mapConcurrent(CONCURRENCY, Array(REQUESTS).keys(), request)
      times.push((performance.now() - start) / REQUESTS)
    }
    return median(times)
  }
  const put = await measureRequest((index) => putObject(`bench/request/${index}`, written))
  const get = await measureRequest((index) => getRange(`bench/request/${index}`, 0, READ_BYTES))
  return [get, put]
}
