/**
 * The layers, bottom to top:
 * schemas <- lib/core <- lib/table, lib/objects, lib/kms <- lib/events <- lib/tx <- lib/entities <- lib/mail <- lib/auth
 * <- engines <- lib/http <- functions
 * Of the engines, lib/records is the lowest. It depends on lib/core, lib/table and lib/objects. lib/commits is above it.
 */
const ENGINES =
  '^lib/(records|commits|jobs|files|agents|mapping|quality|clips|workbooks|retention|tables|webhooks|mcp|assistant)/'
const RECORD_FLOORS = [
  'columns',
  'format',
  'fields',
  'state',
  'log',
  'segments',
  'constraints',
  'read',
  'write',
  'versions',
  'copies',
  'stream',
]
const JOB_FLOORS = [
  'lifecycle',
  'request',
  'mapping',
  'mutation',
  'actions',
  'scheduling',
  'parts',
  'operations',
  'dependencies',
  'run',
]
const LOCAL_CLOUD_EXPORTS = Object.values(require('./packages/local-cloud/package.json').exports).map((path) =>
  path.replace('./', ''),
)
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
/** Each folder imports the folders listed before it, and the shared files. */
const forbidUpward = (folder, floors, sharedFiles = []) =>
  floors.map((floor, i) =>
    forbid(
      `${folder}/${floor}`,
      `Imports of lib/${folder} run down only: ${floors.join(' <- ')}.`,
      { path: `^lib/${folder}/${floor}/` },
      {
        path: `^lib/${folder}/`,
        pathNot: `^lib/${folder}/(${[...floors.slice(0, i + 1).map((allowed) => `${allowed}/`), ...sharedFiles].join('|')})`,
      },
    ),
  )

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      'Two modules that need each other share a third one, or communicate by an event.',
      {},
      { circular: true },
    ),
    forbid(
      'schemas-import-zod-only',
      'schemas/ is shared across boundaries: it imports only zod and its siblings.',
      { path: '^schemas/' },
      { pathNot: ['^schemas/', 'node_modules/zod/'] },
    ),
    forbid(
      'lib-knows-no-function',
      'lib/ does not depend on routes.',
      { path: '^lib/' },
      { path: '^(functions|localstack|packages|examples|test|bench|scripts)/' },
    ),
    forbid(
      'functions-are-independent',
      'Functions never import each other: shared code lives in lib/.',
      { path: '^functions/([^/]+)' },
      { path: '^functions/', pathNot: '^functions/$1' },
    ),
    forbid(
      'functions-know-no-machine',
      'The cloud is accessed only through the AWS SDK.',
      { path: '^(functions|lib|schemas)/' },
      { path: '^(localstack|packages|examples|test|bench|scripts)/' },
    ),
    forbid(
      'core-is-the-floor',
      'lib/core depends only on schemas.',
      { path: '^lib/core/' },
      { path: '^lib/', pathNot: '^lib/core/' },
    ),
    forbid(
      'table-below-events',
      'lib/table, lib/objects and lib/kms depend on lib/core.',
      { path: '^lib/(table|objects|kms)/' },
      { path: '^lib/', pathNot: '^lib/(core|table|objects|kms)/' },
    ),
    forbid(
      'events-below-tx',
      'lib/events depends on lib/table.',
      { path: '^lib/events/' },
      { path: '^lib/', pathNot: '^lib/(core|table|objects|events)/' },
    ),
    forbid(
      'entities-below-auth',
      'lib/entities depends on lib/tx.',
      { path: '^lib/entities/' },
      {
        path: '^lib/(auth|records|commits|jobs|files|agents|mapping|quality|clips|workbooks|retention|webhooks|mcp|assistant|mail|http|reference)/',
      },
    ),
    forbid(
      'mail-below-auth',
      'lib/mail depends on lib/entities: sign-in links and invitations are queued there.',
      { path: '^lib/mail/' },
      {
        path: '^lib/(auth|records|commits|jobs|files|agents|mapping|quality|clips|workbooks|retention|webhooks|mcp|assistant|http|reference)/',
      },
    ),
    forbid(
      'auth-below-engines',
      'lib/auth depends on lib/mail and lib/entities.',
      { path: '^lib/auth/' },
      {
        path: '^lib/(records|commits|jobs|files|agents|mapping|quality|clips|workbooks|retention|webhooks|mcp|assistant|http|reference)/',
      },
    ),
    forbid(
      'records-below-engines',
      'lib/records stores rows. It knows no account, event or other engine.',
      { path: '^lib/records/' },
      { path: '^lib/', pathNot: '^lib/(core|values|table|objects|records)/' },
    ),
    forbid(
      'records-through-index',
      'Other modules use the record engine through its index.',
      { path: '^(lib|functions)/', pathNot: '^lib/records/' },
      { path: '^lib/records/', pathNot: '^lib/records/index[.]ts$' },
    ),
    ...forbidUpward('records', RECORD_FLOORS, ['sheet[.]ts$']),
    forbid(
      'commits-below-engines',
      'lib/commits joins records, entities and events. The other engines write records through it.',
      { path: '^lib/commits/' },
      { path: '^lib/', pathNot: '^lib/((core|table|events|entities|auth|records|commits)/|tx[.]ts$)' },
    ),
    ...forbidUpward('jobs', JOB_FLOORS),
    forbid(
      'engines-know-no-http',
      'Engines are also called by jobs and events, so they do not depend on HTTP.',
      { path: ENGINES },
      { path: '^lib/http/' },
    ),
    forbid(
      'sdk-in-adapters',
      'The AWS SDK is used in lib/{table,objects,kms,events,agents,mail,assistant/models} only.',
      { path: '^(lib|functions|schemas)/', pathNot: '^lib/(table|objects|kms|events|agents|mail|assistant/models)/' },
      { path: 'node_modules/@aws-sdk/' },
    ),
    forbid(
      'middy-in-http',
      'middy is wired once, in lib/http.',
      { path: '^(lib|functions|schemas)/', pathNot: '^lib/http/' },
      { path: 'node_modules/@middy/' },
    ),
    forbid(
      'no-orphan-test-code-in-product',
      'Product code never imports development dependencies.',
      { path: '^(lib|functions|schemas)/' },
      { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    ),
    forbid(
      'packages-know-no-product',
      'Packages work without Wharf: options tell them what they need to know. Only packages/platform contains it.',
      { path: '^packages/', pathNot: '^packages/(platform/|[^/]+/(test|conformance)/)' },
      { path: '^(schemas|lib|functions|localstack|scripts|examples|bench|test|web)/' },
    ),
    forbid(
      'package-tests-know-test-support-only',
      'Tests of a package use only the package and test/support.',
      { path: '^packages/[^/]+/(test|conformance)/' },
      { path: '^(schemas|lib|functions|localstack|scripts|examples|bench|test|web)/', pathNot: '^test/support/' },
    ),
    forbid(
      'local-cloud-by-its-exports',
      'Other code imports only the files that packages/local-cloud/package.json exports.',
      { pathNot: '^packages/local-cloud/' },
      { path: '^packages/local-cloud/', pathNot: `^packages/local-cloud/(${LOCAL_CLOUD_EXPORTS.join('|')})$` },
    ),
    forbid(
      'web-knows-the-api-only',
      'The application uses the public API. It shares only the listener driver, the catalogue of messages and the check of redirect addresses.',
      { path: '^web/' },
      {
        path: '^(schemas|lib|functions|localstack|scripts|bench|test)/',
        pathNot: '^schemas/(jobs/own-download[.]ts$|messages/)',
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(web|packages/[^/]+)/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
