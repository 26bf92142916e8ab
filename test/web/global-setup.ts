/** Builds the web application once, and starts a platform for each worker that serves it. */
import type { TestProject } from 'vitest/node'
import { createLazyBuild } from '../../localstack/web-build.ts'
import { startPlatforms } from '../support/platforms.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env.LOG_LEVEL ??= 'CRITICAL'
  await createLazyBuild().ready()
  return startPlatforms(project, 'web')
}
