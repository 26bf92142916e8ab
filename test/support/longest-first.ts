/** The order of test files: what takes longest begins first. Begun last, it would run on by itself. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Each takes half a minute or more. */
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

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((each) => moduleId.endsWith(`/test/${each}.test.ts`))
  return place < 0 ? LONG.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
