/**
 * The engine beside the prototype its design was chosen by, which neither judged values nor knew the API: what that took
 * is written here, at this machine's speed of parsing, and with what its requests to S3 take here, as plain files stood in
 * for S3 there.
 */
import { inFlight } from '../../lib/core/in-flight.ts'
import { PARSING } from './records-import.ts'
import { type BenchRow, medianOf } from './row.ts'

/** What parsing 100k rows of the same shape took there, with the library of this bench, in milliseconds. */
const PARSED_THERE = 104
const PARSED_ROWS = 100_000
const SEGMENT_ROWS = 10_000

interface Figure {
  what: string
  /** Milliseconds at 100k and at 1M rows; a range as its middle. */
  at100k: number
  at1m?: number
  /** Requests to S3: so many, or one for each segment. */
  gets?: number | 'segments'
  puts?: 'segments'
}

const FIGURES: readonly Figure[] = [
  { what: 'CSV in S3 to records, 12 typed fields', at100k: 229, at1m: 2300, puts: 'segments' },
  { what: 'page of 1000', at100k: 8, at1m: 11, gets: 2 },
  { what: 'page of 10000', at100k: 22, at1m: 23, gets: 2 },
  { what: 'page of 100 in error, the second', at100k: 19, at1m: 32 },
  { what: 'counts', at100k: 3, at1m: 4 },
  { what: 'sort by a number, first 100 records', at100k: 73, at1m: 720, gets: 'segments' },
  { what: 'sort by a text, first 100 records', at100k: 84, at1m: 930, gets: 'segments' },
  { what: 'search in all columns', at100k: 57, at1m: 500, gets: 'segments' },
  { what: 'distinct values of a column', at100k: 15, at1m: 130, gets: 'segments' },
  { what: 'snapshot', at100k: 8, at1m: 23 },
  { what: 'restore after an edit', at100k: 8, at1m: 13 },
  { what: 'deleting a tenth by query', at100k: 24, at1m: 130, gets: 'segments' },
  // Of 1000 edits by eight writers, 80.
  { what: '8 writers, 10 edits each', at100k: 183 },
]

const REACH = 1.5

/** A row for each figure whose work is among those measured; none when 100k rows were not among the sizes. */
export async function studyRows(measured: readonly BenchRow[]): Promise<BenchRow[]> {
  const find = (what: string, rows: number) => measured.find((row) => row.what === what && row.rows === rows)
  const parsing = measured.filter(({ reference, rows }) => reference === PARSING && rows === PARSED_ROWS)
  if (parsing.length === 0) return []
  // Of several medians the least: what else goes on makes none of them less.
  const speed = Math.min(...parsing.map(({ referenceValue }) => referenceValue)) / PARSED_THERE
  const [get, put] = await requestTimes()
  return FIGURES.flatMap((figure) =>
    (
      [
        [100_000, figure.at100k],
        [1_000_000, figure.at1m],
      ] as const
    ).flatMap(([rows, there]): BenchRow[] => {
      const ours = find(figure.what, rows)
      if (!ours || there === undefined) return []
      const segments = rows / SEGMENT_ROWS
      const count = (requests: number | 'segments' = 0): number => (requests === 'segments' ? segments : requests)
      const referenceValue = there * speed + count(figure.gets) * get + count(figure.puts) * put
      const what = `prototype: ${figure.what}`
      return [{ what, rows, value: ours.value, reference: 'what it took, at this speed', referenceValue, reach: REACH }]
    }),
  )
}

/** A column, and a segment, as compressed bytes, about. */
const READ_BYTES = 32 * 1024
const WRITTEN_BYTES = 370 * 1024
const REQUESTS = 40
const AT_ONCE = 4
const ROUNDS = 5

/** Milliseconds of a request to S3 when four are under way: of reading and of writing one. */
async function requestTimes(): Promise<[get: number, put: number]> {
  const { getRange, putObject } = await import('../../lib/objects/store.ts')
  const written = Buffer.alloc(WRITTEN_BYTES, 'bench')
  const time = async (request: (index: number) => Promise<unknown>): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now()
      await inFlight(AT_ONCE, Array(REQUESTS).keys(), request)
      times.push((performance.now() - start) / REQUESTS)
    }
    return medianOf(times)
  }
  const put = await time((index) => putObject(`bench/request/${index}`, written))
  const get = await time((index) => getRange(`bench/request/${index}`, 0, READ_BYTES))
  return [get, put]
}
