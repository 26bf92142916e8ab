/** Files and pages of the API reference by name; scripts/build.ts copies them into the function's package. */

const VIEWER = 'node_modules/swagger-ui-dist'
const CSS = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const JSON_TYPE = 'application/json'

export interface ReferenceFile {
  path: string
  type: string
}

export const OPENAPI: ReferenceFile = { path: 'schemas/generated/openapi.json', type: JSON_TYPE }

export const VIEWER_PAGE: ReferenceFile = { path: 'lib/reference/page/viewer.html', type: 'text/html; charset=utf-8' }

export const FILES: ReadonlyMap<string, ReferenceFile> = new Map(
  Object.entries({
    'swagger-ui.css': { path: `${VIEWER}/swagger-ui.css`, type: CSS },
    'swagger-ui-bundle.js': { path: `${VIEWER}/swagger-ui-bundle.js`, type: SCRIPT },
    'viewer.js': { path: 'lib/reference/page/viewer.js', type: SCRIPT },
    'page.css': { path: 'lib/reference/page/page.css', type: CSS },
    'asyncapi.json': { path: 'schemas/generated/asyncapi.json', type: JSON_TYPE },
    'events.json': { path: 'schemas/generated/events.json', type: JSON_TYPE },
  }),
)

interface Page {
  title: string
  path: string
}

export const PAGES: ReadonlyMap<string, Page> = new Map(
  Object.entries({
    'first-import': { title: 'First import', path: 'docs/guides/first-import.md' },
    listeners: { title: 'Listeners', path: 'docs/guides/listeners.md' },
    agents: { title: 'Agents', path: 'docs/guides/agents.md' },
    guests: { title: 'Guests', path: 'docs/guides/guests.md' },
    mapping: { title: 'Mapping', path: 'docs/guides/mapping.md' },
    moving: { title: 'Moving', path: 'docs/guides/moving.md' },
    events: { title: 'Events', path: 'schemas/generated/events.md' },
    errors: { title: 'Errors', path: 'docs/reference/errors.md' },
    limits: { title: 'Limits', path: 'docs/reference/limits.md' },
    jobs: { title: 'Job lifecycle', path: 'schemas/generated/jobs.md' },
  }),
)

export const READ_PATHS: readonly string[] = [OPENAPI, VIEWER_PAGE, ...FILES.values(), ...PAGES.values()].map(
  ({ path }) => path,
)
