/** AWS tells by an error that something does not exist or a condition does not hold; here that is often an answer. */

const unless =
  (name: string) =>
  async <T>(answer: Promise<T>): Promise<T | undefined> => {
    try {
      return await answer
    } catch (error) {
      if (error instanceof Error && error.name === name) return undefined
      throw error
    }
  }

/** The answer, or undefined when what is asked about does not exist. */
export const unlessMissing = unless('ResourceNotFoundException')

/** The answer, or undefined when the write's condition does not hold. */
export const unlessConditionFails = unless('ConditionalCheckFailedException')
