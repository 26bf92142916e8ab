/** Orders test files by project, so that a worker is reused for all files of a project. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names = [...new Set(files.map(({ project }) => project.name))]
    const getPosition = ({ project }: TestSpecification) => names.indexOf(project.name)
    return (await super.sort(files)).toSorted((a, b) => getPosition(a) - getPosition(b))
  }
}
