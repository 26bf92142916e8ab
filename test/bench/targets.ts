/** The speeds and costs the project promises, each backed by a benchmark row. */
export interface PerformancePromise {
  promise: string
  bench: string
  what: string
  rows?: number
}

const MILLION = 1_000_000

export const PROMISES: readonly PerformancePromise[] = [
  ...[
    ['CSV parsed, typed, validated and encoded', 'CSV streamed: parsed, judged and encoded'],
    ['CSV file to queryable records', 'CSV in S3 to records, 12 typed fields'],
    ['memory of the importing process', 'memory of a process that imports the file'],
    ['AWS cost of a million rows imported', 'AWS cost of the import'],
    ['page of 1,000 records', 'page of 1000'],
    ['page of 10,000 records', 'page of 10000'],
    ['sort by a number', 'sort by a number, its first 100 cells'],
    ['sort by a text', 'sort by a text, its first 100 cells'],
    ['search in all columns', 'search in all columns'],
    ['distinct values', 'distinct values of a column'],
    ['snapshot', 'snapshot'],
    ['restore', 'restore after an edit'],
    ['edits by eight concurrent writers', '8 writers, 10 edits each'],
  ].map(([promise, what]) => ({ promise: promise!, bench: 'records', what: what!, rows: MILLION })),
  { promise: 'XLSX file to queryable records', bench: 'files', what: 'XLSX in S3 to records', rows: 200_000 },
  { promise: 'GET of a space, with its statistics', bench: 'api', what: 'GET of a space' },
  { promise: 'the same, DynamoDB 4 ms away', bench: 'api', what: 'GET of a space, DynamoDB 4ms away' },
  { promise: 'GET with auth, policy and one read', bench: 'api', what: 'GET of a document: key, policy, one read' },
  { promise: 'commit to agent', bench: 'events', what: 'a change is committed until an agent is called' },
  { promise: 'cold start', bench: 'start', what: 'cold start: import of the slowest bundle' },
  { promise: 'bundle at a cold start', bench: 'start', what: 'largest bundle at a cold start, compressed' },
  { promise: 'first load of the application', bench: 'web', what: 'first load of the web application, compressed' },
  { promise: 'application usable, slow processor', bench: 'web', what: 'sign-in page usable, processor 4 x slower' },
  { promise: 'frame time while a sheet scrolls', bench: 'web', what: 'frame while scrolling, 95th of 100', rows: MILLION },
  { promise: 'edit until confirmed', bench: 'web', what: 'edit of a cell until it is confirmed', rows: MILLION },
  { promise: 'npm start to the first response', bench: 'start', what: 'start of the whole platform to its first answer' },
]
