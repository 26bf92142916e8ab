/**
 * Areas for mutation testing and the fast tests to run against their mutants. `MUTATE` selects files of one area; the
 * default is the record engine.
 */
const AREAS = [
  {
    code: 'lib/records/',
    tests: ['test/unit/records/*.test.ts'],
    without: [
      'test/unit/records/{model.scaled,concurrency.scaled,faults.full,stream-memory.full,collect-orphans}.test.ts',
    ],
  },
  { code: 'lib/auth/', tests: ['test/unit/auth/*.test.ts'], without: [] },
]

export const mutated = (process.env.MUTATE ?? 'lib/records/**/*.ts').split(',')

const found = AREAS.find(({ code }) => mutated.every((files) => files.startsWith(code)))
if (!found) throw new Error(`MUTATE names files below one of ${AREAS.map(({ code }) => code).join(', ')}`)
export const area = found
