import { basename, dirname } from 'node:path'

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

/** Files whose work is seen over HTTP only: the messages of readings, histories, clips and undone commits. */
const RECORD_TESTS = {
  copy: ['test/api/clips', 'test/api/clips-rejected'],
  'import-by-key': ['test/api/import-modes'],
  'jsonl-input': ['test/api/streams', 'test/api/values-interpret'],
  notes: ['test/api/mapping-values', 'test/api/values-interpret', 'test/api/quality', 'test/api/read-records'],
  'record-history': ['test/api/read-records', 'test/api/mapping-values', 'test/api/snapshots'],
  undo: ['test/api/undo-import', 'test/api/undo-commit'],
}

const JOB_TESTS = ['test/api/jobs', 'test/api/jobs-lease', 'test/api/jobs-progress']
const MAPPING_TESTS = [
  ...['test/api/mapping', 'test/api/program-jobs', 'test/api/import-modes', 'test/api/undo-import'],
  ...['test/api/recipe-merges', 'test/api/recipes'],
]
const JOB_TESTS_BY_FOLDER = {
  actions: ['test/api/actions', 'test/api/actions-jobs'],
  dependencies: ['test/api/jobs-predecessors'],
  lifecycle: ['test/api/job-transitions', 'test/api/jobs-schedule'],
  mapping: MAPPING_TESTS,
  mutation: ['test/api/jobs-records', 'test/api/mutation-rights'],
  operations: [
    ...['test/api/jobs-records', 'test/api/export', 'test/api/extraction', 'test/api/agent-exports'],
    ...[...MAPPING_TESTS, 'test/api/quality'],
  ],
  request: ['test/api/jobs-records', 'test/api/job-rights', 'test/api/guest-jobs', 'test/api/bad-requests'],
  scheduling: ['test/api/jobs-schedule', 'test/api/cron'],
}

const AREAS = [
  {
    code: 'lib/records/',
    tests: ['test/unit/records/*.test.ts'],
    without: [
      'test/unit/records/{model.scaled,concurrency.scaled,faults.full,stream-memory.full,collect-orphans}.test.ts',
    ],
    listApiTests: (path) => RECORD_TESTS[basename(path, '.ts')] ?? [],
  },
  {
    code: 'lib/auth/',
    tests: ['test/unit/auth/*.test.ts'],
    without: [],
    listApiTests: (path) => [...(AUTH_TESTS[basename(path, '.ts')] ?? []), ...CREDENTIAL_TESTS],
  },
  {
    code: 'lib/jobs/',
    tests: ['test/unit/jobs/*.test.ts'],
    without: [],
    listApiTests: (path) => [...JOB_TESTS, ...(JOB_TESTS_BY_FOLDER[basename(dirname(path))] ?? [])],
  },
]

export const mutated = (process.env.MUTATE ?? 'lib/records/**/*.ts').split(',')

const found = AREAS.find(({ code }) => mutated.every((files) => files.startsWith(code)))
if (!found) throw new Error(`MUTATE names files below one of ${AREAS.map(({ code }) => code).join(', ')}`)
export const area = found
