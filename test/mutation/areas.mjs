import { basename } from 'node:path'

/**
 * Areas for mutation testing. `tests` are fast and run first. `listApiTests` names API tests for a file, which run
 * against the mutants that `tests` did not detect (see survivors.mjs). `MUTATE` selects files of one area; the default
 * is the record engine.
 */
const CREDENTIAL_TESTS = ['test/api/auth', 'test/api/sessions', 'test/contract/access']
const AUTH_TESTS = {
  'deleted-guests': ['test/api/guest-deletion'],
  'envelope-encryption': ['test/api/secrets', 'test/api/sso'],
  exchange: ['test/api/embedding', 'test/api/signing-keys'],
  invitations: ['test/api/invitations', 'test/api/users'],
  links: ['test/api/invitations', 'test/api/guests', 'test/api/guest-switching'],
  'load-resource': ['test/api/environment-isolation', 'test/api/resources'],
  'may-run-mutations': ['test/api/mutation-rights'],
  principal: [
    ...['test/api/guests', 'test/api/users', 'test/api/sso', 'test/api/environment-isolation'],
    ...['test/api/event-rights', 'test/api/job-rights', 'test/security/owasp-02', 'test/security/revocation'],
  ],
  sso: ['test/api/sso'],
  subscription: ['test/api/socket', 'test/api/live'],
}

const AREAS = [
  {
    code: 'lib/records/',
    tests: ['test/unit/records/*.test.ts'],
    without: [
      'test/unit/records/{model.scaled,concurrency.scaled,faults.full,stream-memory.full,collect-orphans}.test.ts',
    ],
    listApiTests: () => [],
  },
  {
    code: 'lib/auth/',
    tests: ['test/unit/auth/*.test.ts'],
    without: [],
    listApiTests: (path) => [...(AUTH_TESTS[basename(path, '.ts')] ?? []), ...CREDENTIAL_TESTS],
  },
]

export const mutated = (process.env.MUTATE ?? 'lib/records/**/*.ts').split(',')

const found = AREAS.find(({ code }) => mutated.every((files) => files.startsWith(code)))
if (!found) throw new Error(`MUTATE names files below one of ${AREAS.map(({ code }) => code).join(', ')}`)
export const area = found
