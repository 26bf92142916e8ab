/** Turns expected AWS errors, such as a missing resource or a failed condition, into undefined. */

const ignoreErrorNamed =
  (name: string) =>
  async <T>(promise: Promise<T>): Promise<T | undefined> => {
    try {
      return await promise
    } catch (error) {
      if (error instanceof Error && error.name === name) return undefined
      throw error
    }
  }

export const ignoreNotFound = ignoreErrorNamed('ResourceNotFoundException')

export const ignoreConditionFailed = ignoreErrorNamed('ConditionalCheckFailedException')
