export const createUnknownId = (id: string): string =>
  id.replace(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/, (last) => (last === 'Z' ? 'Y' : 'Z'))
