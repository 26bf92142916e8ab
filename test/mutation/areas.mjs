/**
 * What can be mutated, and the tests that mutants of it are shown to: fast ones, without what takes long (many writers, long
 * histories, memory). `MUTATE` names files of one area; without it the record engine is meant.
 */
const AREAS = [
  {
    code: 'lib/records/',
    tests: ['test/unit/records/*.test.ts'],
    without: ['test/unit/records/{model,concurrency,faults,stream-memory,collect-orphans}.test.ts'],
  },
  { code: 'lib/auth/', tests: ['test/unit/auth/*.test.ts'], without: [] },
]

export const mutated = (process.env.MUTATE ?? 'lib/records/**/*.ts').split(',')

const found = AREAS.find(({ code }) => mutated.every((files) => files.startsWith(code)))
if (!found) throw new Error(`MUTATE names files below one of ${AREAS.map(({ code }) => code).join(', ')}`)
export const area = found
