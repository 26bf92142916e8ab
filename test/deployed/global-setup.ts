/** Runs the tests against the current deployment instead of the embedded cloud. */
import type { TestProject } from 'vitest/node'
import '../support/api.ts'

export default function setup(project: TestProject): void {
  const { WHARF_DEPLOYED = '{}' } = process.env
  const { endpoint, variables } = JSON.parse(WHARF_DEPLOYED) as {
    endpoint: string
    variables: Record<string, string>
  }
  const environment = { ...variables, AWS_ENDPOINT_URL: endpoint, LOG_LEVEL: 'CRITICAL' }
  project.provide('servers', [{ baseUrl: variables.BASE_URL!, cloud: endpoint, environment }])
}
