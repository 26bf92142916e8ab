/**
 * The layers, bottom to top:
 * schemas <- lib/core <- lib/table, lib/objects, lib/kms <- lib/events <- lib/tx <- lib/entities <- lib/mail <- lib/auth
 * <- engines <- lib/http <- functions
 */
const ENGINES = '^lib/(records|jobs|files|agents|mapping|clips|workbooks|retention|webhooks)/'
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

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
      { path: '^(functions|localstack|test|scripts)/' },
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
      { path: '^(localstack|test|scripts)/' },
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
      { path: '^lib/(auth|records|jobs|files|agents|mapping|clips|workbooks|retention|webhooks|mail|http|reference)/' },
    ),
    forbid(
      'mail-below-auth',
      'lib/mail depends on lib/entities: sign-in links and invitations are queued there.',
      { path: '^lib/mail/' },
      { path: '^lib/(auth|records|jobs|files|agents|mapping|clips|workbooks|retention|webhooks|http|reference)/' },
    ),
    forbid(
      'auth-below-engines',
      'lib/auth depends on lib/mail and lib/entities.',
      { path: '^lib/auth/' },
      { path: '^lib/(records|jobs|files|agents|mapping|clips|workbooks|retention|webhooks|http|reference)/' },
    ),
    forbid(
      'engines-know-no-http',
      'Engines are also called by jobs and events, so they do not depend on HTTP.',
      { path: ENGINES },
      { path: '^lib/http/' },
    ),
    forbid(
      'sdk-in-adapters',
      'The AWS SDK is used in lib/{table,objects,kms,events,agents,mail} only.',
      { path: '^(lib|functions|schemas)/', pathNot: '^lib/(table|objects|kms|events|agents|mail)/' },
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
      'web-knows-the-api-only',
      'The application uses the public API. It shares only the listener driver, the catalogue of messages and the check of redirect addresses.',
      { path: '^web/' },
      {
        path: '^(schemas|lib|functions|localstack|scripts|test)/',
        pathNot: '^schemas/((own-download|message-format)[.]ts$|messages/)',
      },
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
