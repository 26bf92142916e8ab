/**
 * Areas for mutation testing. `tests` are fast and run first. `api` are API tests, which run against the mutants that
 * `tests` did not detect (see survivors.mjs). `MUTATE` selects files of one area; the default is the record engine.
 */
const AREAS = [
  {
    code: 'lib/records/',
    tests: ['test/unit/records/*.test.ts'],
    without: [
      'test/unit/records/{model.scaled,concurrency.scaled,faults.full,stream-memory.full,collect-orphans}.test.ts',
    ],
    api: [],
  },
  {
    code: 'lib/auth/',
    tests: ['test/unit/auth/*.test.ts'],
    without: [],
    api: [
      ...['auth', 'sessions', 'invitations', 'guest', 'users', 'sso', 'embedding', 'signing-keys'],
      ...['environment-isolation', 'secrets', 'socket', 'live', 'mutation-rights', 'job-rights', 'event-rights'],
    ]
      .map((name) => `test/api/${name}`)
      .concat(['test/contract/access', 'test/security/owasp-02', 'test/security/owasp-05', 'test/security/revocation']),
  },
]

export const mutated = (process.env.MUTATE ?? 'lib/records/**/*.ts').split(',')

const found = AREAS.find(({ code }) => mutated.every((files) => files.startsWith(code)))
if (!found) throw new Error(`MUTATE names files below one of ${AREAS.map(({ code }) => code).join(', ')}`)
export const area = found
