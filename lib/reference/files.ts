/**
 * What the reference shows beside the OpenAPI document: files by the name they are asked for, at paths that are the same in the
 * repository and in the function's package, into which scripts/build.ts puts them. Knows no HTTP.
 */

const VIEWER = 'node_modules/swagger-ui-dist'
const CSS = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const JSON_TYPE = 'application/json'

export interface ReferenceFile {
  path: string
  type: string
}

export const OPENAPI: ReferenceFile = { path: 'schemas/generated/openapi.json', type: JSON_TYPE }

/** The page of the API. */
export const VIEWER_PAGE: ReferenceFile = { path: 'lib/reference/page/viewer.html', type: 'text/html; charset=utf-8' }

/** As they are. */
export const FILES: ReadonlyMap<string, ReferenceFile> = new Map(
  Object.entries({
    'swagger-ui.css': { path: `${VIEWER}/swagger-ui.css`, type: CSS },
    'swagger-ui-bundle.js': { path: `${VIEWER}/swagger-ui-bundle.js`, type: SCRIPT },
    'viewer.js': { path: 'lib/reference/page/viewer.js', type: SCRIPT },
    'page.css': { path: 'lib/reference/page/page.css', type: CSS },
    'events.json': { path: 'schemas/generated/events.json', type: JSON_TYPE },
  }),
)

interface Page {
  title: string
  /** Markdown. */
  path: string
}

/** Shown as HTML, in this order. */
export const PAGES: ReadonlyMap<string, Page> = new Map(
  Object.entries({
    'first-import': { title: 'A first import', path: 'docs/first-import.md' },
    listeners: { title: 'Listeners', path: 'docs/listeners.md' },
    agents: { title: 'Agents', path: 'docs/agents.md' },
    guests: { title: 'Guests', path: 'docs/guests.md' },
    mapping: { title: 'Mapping', path: 'docs/mapping.md' },
    moving: { title: 'Moving', path: 'docs/moving.md' },
    events: { title: 'Events', path: 'schemas/generated/events.md' },
    errors: { title: 'Errors', path: 'docs/errors.md' },
    limits: { title: 'Limits', path: 'docs/limits.md' },
    jobs: { title: 'The life of a job', path: 'schemas/generated/jobs.md' },
  }),
)

/** Every path that is read while serving. */
export const READ_PATHS: readonly string[] = [OPENAPI, VIEWER_PAGE, ...FILES.values(), ...PAGES.values()].map(
  ({ path }) => path,
)
