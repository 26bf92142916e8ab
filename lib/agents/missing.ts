/** AWS tells that something does not exist by an error; here that is often as good as done. */

/** The answer, or undefined when what is asked about does not exist. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined
    throw error
  }
}
