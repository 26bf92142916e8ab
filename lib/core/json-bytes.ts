const COMMA = Buffer.from(',')

/** The elements of a JSON array from the JSON of each. */
export const joinElements = (elements: readonly Buffer[]): Buffer[] =>
  elements.flatMap((element, at) => (at === 0 ? [element] : [COMMA, element]))
