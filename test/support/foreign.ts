/** Ids of nothing there is. */

/** The id with its last character changed. */
export const newIdLike = (id: string): string =>
  id.replace(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/, (last) => (last === 'Z' ? 'Y' : 'Z'))
