export interface PerformanceTarget {
  label: string
  bench: string
  what: string
  rows?: number
}

const MILLION = 1_000_000

export const PERFORMANCE_TARGETS: readonly PerformanceTarget[] = [
  ...[
    ['CSV parsed, typed, validated and encoded', 'CSV streamed: parsed, validated and encoded'],
    ['CSV file to queryable records', 'CSV in S3 to records, 12 typed fields'],
    ['memory of the importing process', 'memory of a process that imports the file'],
    ['AWS cost of a million rows imported', 'AWS cost of the import'],
    ['page of 1,000 records', 'page of 1000'],
    ['page of 10,000 records', 'page of 10000'],
    ['sort by a number', 'sort by a number, first 100 cells'],
    ['sort by a text', 'sort by a text, first 100 cells'],
    ['search in all columns', 'search in all columns'],
    ['distinct values', 'distinct values of a column'],
    ['snapshot', 'snapshot'],
    ['restore', 'restore after an edit'],
    ['edits by eight concurrent writers', '8 writers, 10 edits each'],
  ].map(([label, what]) => ({ label: label!, bench: 'records', what: what!, rows: MILLION })),
  { label: 'import with ten rules', bench: 'records', what: 'import with ten rules', rows: 100_000 },
  {
    label: 'import by key that updates all records',
    bench: 'jobs',
    what: 'upsert, every record updated',
    rows: MILLION,
  },
  { label: 'undo of that import', bench: 'jobs', what: 'undo of the upsert', rows: MILLION },
  {
    label: 'values or clusters of a column',
    bench: 'quality',
    what: 'slowest list of values or clusters of a column',
    rows: MILLION,
  },
  { label: 'XLSX file to queryable records', bench: 'files', what: 'XLSX in S3 to records', rows: 200_000 },
  { label: 'GET of a space, with its statistics', bench: 'api', what: 'GET of a space' },
  {
    label: 'the same, with 4 ms latency to DynamoDB',
    bench: 'api',
    what: 'GET of a space, with 4 ms latency to DynamoDB',
  },
  { label: 'GET with auth, policy and one read', bench: 'api', what: 'GET of a document: key, policy, one read' },
  { label: 'commit to agent', bench: 'events', what: 'commit until an agent is invoked' },
  { label: 'cold start', bench: 'start', what: 'cold start: import of the slowest bundle' },
  { label: 'bundle at a cold start', bench: 'start', what: 'largest bundle at a cold start, compressed' },
  { label: 'first load of the application', bench: 'web', what: 'first load of the web application, compressed' },
  { label: 'application usable, slow processor', bench: 'web', what: 'sign-in page usable, processor 4 times slower' },
  {
    label: 'frame time while a sheet scrolls',
    bench: 'web',
    what: 'frame while scrolling, 95th of 100',
    rows: MILLION,
  },
  { label: 'edit until confirmed', bench: 'web', what: 'cell edit until confirmed', rows: MILLION },
  { label: 'npm start to the first response', bench: 'start', what: 'platform start to the first response' },
]
