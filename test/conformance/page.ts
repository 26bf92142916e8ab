/** Renders localstack/conformance.md from the results of all clouds. */
import { CLOUDS, type ServiceName, SUITES } from './clouds.ts'

export interface ServiceResult {
  passed: number
  failed: string[]
}
export type CloudResults = Partial<Record<ServiceName, ServiceResult>>

const HEAD = `# Which cloud does what

Written by \`npm run conformance\`, which \`npm run test:nightly\` runs: the suites of \`test/cloud\` against each cloud, by the AWS SDK. They ask
what Wharf relies on, and the embedded cloud's finer points too; not all of AWS. A test that concerns the embedded cloud alone does
not count elsewhere.
`

const NOTES = `LocalStack is its last release that needs no account, started as a Python process: what it runs in containers (functions) is not tested.
Its free edition has no HTTP APIs (\`AWS::ApiGatewayV2\`), so the whole stack cannot be deployed to it: \`npm run test:deployed\` deploys to
MiniStack, and locally the embedded cloud serves the API.
`

export function renderPage(results: Record<string, CloudResults>): string {
  const services = Object.keys(SUITES) as ServiceName[]
  const formatTitle = ({ name, version }: (typeof CLOUDS)[number]) => `${name} ${version}`.trim()
  const head = ['', ...CLOUDS.map(formatTitle)]
  const rows = services.map((service) => [
    service,
    ...CLOUDS.map((cloud) => renderCell(cloud, results[cloud.name], service)),
  ])
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  const failures = CLOUDS.flatMap(({ name }) => renderFailures(name, results[name]))
  return `${HEAD}\n${table}\n\n${NOTES}\n## What fails\n\n${failures.join('\n') || 'Nothing.'}\n`
}

function renderCell(cloud: (typeof CLOUDS)[number], results: CloudResults | undefined, service: ServiceName): string {
  const reason = cloud.missing[service]
  if (reason) return reason
  const result = results?.[service]
  if (!result) return 'not run'
  const all = result.passed + result.failed.length
  return result.failed.length === 0 ? `all ${all}` : `${result.passed} of ${all}`
}

function renderFailures(name: string, results: CloudResults | undefined): string[] {
  const failed = Object.entries(results ?? {}).filter(([, { failed }]) => failed.length > 0)
  return failed.map(
    ([service, { failed }]) => `**${name}, ${service}**\n\n${failed.map((each) => `- ${each}`).join('\n')}\n`,
  )
}
