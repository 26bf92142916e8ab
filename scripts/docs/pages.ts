import { readdirSync, readFileSync } from 'node:fs'

export interface Page {
  /** Path in the repository; generated pages have none. */
  source?: string
  /** Address on the site, without a leading slash and extension. */
  path: string
  title: string
  markdown: string
}

const MOVED: Record<string, string> = {
  'docs/guides/first-import.md': 'start/first-import',
  'docs/concepts.md': 'start/concepts',
  'docs/architecture.md': 'project/architecture',
  'docs/scores.md': 'measured/scores',
  'bench/figures.md': 'measured/figures',
  'bench/figures/corpus.md': 'measured/corpus',
  'bench/figures/files.md': 'measured/files',
  'bench/figures/jobs.md': 'measured/jobs',
  'bench/figures/pollock.md': 'measured/pollock',
  'bench/figures/records.md': 'measured/records',
  'bench/figures/valentine.md': 'measured/valentine',
  'bench/messy/files/README.md': 'measured/messy-files',
  'packages/local-cloud/conformance/results.md': 'measured/conformance',
  'schemas/generated/events.md': 'reference/events',
  'schemas/generated/jobs.md': 'reference/job-lifecycle',
  'schemas/generated/coverage.md': 'reference/sdk-coverage',
  'lib/jobs/README.md': 'project/jobs',
  'lib/records/README.md': 'project/record-engine',
  'lib/mapping/lexicon/README.md': 'project/lexicon',
  'localstack/README.md': 'project/localstack',
  'test/web/README.md': 'project/web-tests',
  'CONTRIBUTING.md': 'project/contributing',
  'CHANGELOG.md': 'project/changelog',
  'SECURITY.md': 'project/vulnerabilities',
  'CODE_OF_CONDUCT.md': 'project/conduct',
}

const IS_DOCS_PAGE = /^(?!node_modules|\.vitepress).*\.md$/

export const listDocs = (): string[] =>
  readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => IS_DOCS_PAGE.test(name))
    .map((name) => `docs/${name}`)
    .sort()

const listReadmes = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(`${folder}/${entry.name}`).includes('README.md'))
    .map(({ name }) => `${folder}/${name}/README.md`)

const addressOf = (source: string): string =>
  MOVED[source] ??
  source
    .replace(/^docs\//, '')
    .replace(/(\/README)?\.md$/, source.endsWith('README.md') && source.startsWith('docs/') ? '/index' : '')

export function findTitle(markdown: string, path: string): string {
  const [, heading] = /^# (.+)$/m.exec(markdown) ?? []
  if (heading === undefined) throw new Error(`${path} has no title: start it with "# "`)
  const title = heading.replace(/^Decision: /, '').replaceAll('`', '')
  return title[0]!.toUpperCase() + title.slice(1)
}

export function readPages(): Page[] {
  const sources = [
    ...new Set([...listDocs(), ...listReadmes('packages'), ...listReadmes('examples'), ...Object.keys(MOVED)]),
  ]
  return sources.map((source) => {
    const markdown = readFileSync(source, 'utf8')
    return { source, path: addressOf(source), title: findTitle(markdown, source), markdown }
  })
}
