/** Runs the longest test files first, so that none of them runs last without others in parallel. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONG = [
  'contract/serverless',
  'unit/records/model',
  'e2e/records-crash',
  'contract/access',
  'e2e/sdk-operations',
  'api/clips',
  'e2e/published-cli',
  'api/jobs-moves',
  'api/jobs-crash',
]

const getPosition = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((each) => moduleId.endsWith(`/test/${each}.test.ts`))
  return place < 0 ? LONG.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => getPosition(a) - getPosition(b))
  }
}
