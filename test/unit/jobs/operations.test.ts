import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../lib/jobs/operations/index.ts'
import * as contracts from '../../../schemas/jobs/operations.ts'

it('has every declared operation once: add a missing one to lib/jobs/operations/index.ts', () => {
  const declared = Object.values<object>(contracts).flatMap((value) => ('summary' in value ? [value] : []))
  const listed = OPERATIONS.map(({ contract }) => contract)
  expect(new Set(listed)).toEqual(new Set(declared))
  expect(listed).toHaveLength(declared.length)
})
