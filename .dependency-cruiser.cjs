/**
 * The layers, bottom to top:
 * schemas <- lib/core <- lib/table, lib/objects, lib/kms <- lib/events <- lib/tx <- lib/entities <- lib/auth <- engines <- lib/http <- functions
 */
const ENGINES = '^lib/(records|jobs|files|agents|mapping|clips|workbooks|retention|webhooks|mail)/'
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      'Two modules that need each other meet in a third one, or through an event.',
      {},
      { circular: true },
    ),
    forbid(
      'schemas-import-zod-only',
      'schemas/ is what crosses a boundary: zod and its siblings only.',
      { path: '^schemas/' },
      { pathNot: ['^schemas/', 'node_modules/zod/'] },
    ),
    forbid(
      'lib-knows-no-function',
      'lib/ is meaning; it knows no route.',
      { path: '^lib/' },
      { path: '^(functions|localstack|test|scripts)/' },
    ),
    forbid(
      'functions-stand-alone',
      'Functions never import each other: shared meaning lives in lib/.',
      { path: '^functions/([^/]+)' },
      { path: '^functions/', pathNot: '^functions/$1' },
    ),
    forbid(
      'functions-know-no-machine',
      'The cloud is reached through the AWS SDK alone.',
      { path: '^(functions|lib|schemas)/' },
      { path: '^(localstack|test|scripts)/' },
    ),
    forbid(
      'core-is-the-floor',
      'lib/core stands on schemas alone.',
      { path: '^lib/core/' },
      { path: '^lib/', pathNot: '^lib/core/' },
    ),
    forbid(
      'table-below-events',
      'lib/table, lib/objects and lib/kms stand on lib/core.',
      { path: '^lib/(table|objects|kms)/' },
      { path: '^lib/', pathNot: '^lib/(core|table|objects|kms)/' },
    ),
    forbid(
      'events-below-tx',
      'lib/events stands on lib/table.',
      { path: '^lib/events/' },
      { path: '^lib/', pathNot: '^lib/(core|table|objects|events)/' },
    ),
    forbid(
      'entities-below-auth',
      'lib/entities stands on lib/tx.',
      { path: '^lib/entities/' },
      { path: '^lib/(auth|records|jobs|files|agents|mapping|clips|workbooks|retention|webhooks|mail|http|reference)/' },
    ),
    forbid(
      'auth-below-engines',
      'lib/auth stands on lib/entities.',
      { path: '^lib/auth/' },
      { path: '^lib/(records|jobs|files|agents|mapping|clips|workbooks|retention|webhooks|mail|http|reference)/' },
    ),
    forbid(
      'engines-know-no-http',
      'Engines are called by jobs and events too: they know no HTTP.',
      { path: ENGINES },
      { path: '^lib/http/' },
    ),
    forbid(
      'sdk-at-home',
      'The AWS SDK is used in lib/{table,objects,kms,events,agents,mail} only.',
      { path: '^(lib|functions|schemas)/', pathNot: '^lib/(table|objects|kms|events|agents|mail)/' },
      { path: 'node_modules/@aws-sdk/' },
    ),
    forbid(
      'middy-at-home',
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
      'web-knows-the-api-only',
      'The application uses the public API: it shares only the listener driver, and the check of addresses that outcomes lead to.',
      { path: '^web/' },
      { path: '^(schemas|lib|functions|localstack|scripts|test)/', pathNot: '^schemas/own-download[.]ts$' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^web/dist' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
