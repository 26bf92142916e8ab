/** Fewer parts are not worth starting functions. */
const MIN_PARTS = 4

/** Returns 1 for work that is left to one function. */
export const countParts = (total: number, partSize: number): number =>
  total < MIN_PARTS * partSize ? 1 : Math.ceil(total / partSize)
