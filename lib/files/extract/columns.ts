/** The columns of a file as fields of a sheet: each with a name of its own, whatever the file says. Pure. */

/** Characters of a name at most. */
const NAME_CHARACTERS = 500
/** Names of all columns together, in bytes of JSON at most: a sheet's configuration is one item of the table. */
const NAMES_BYTES = 100 * 1024

/** Names for `width` columns: blank ones get a number, equal ones too, and none is one JavaScript gives a meaning. */
export function columnNames(header: readonly string[], width: number, namesBytes = NAMES_BYTES): string[] {
  const told = Array.from({ length: width }, (_, column) => readable(header[column] ?? ''))
  const longest = longestName(told, Math.min(namesBytes, NAMES_BYTES))
  const taken = new Set<string>(['__proto__'])
  return told.map((name, column) => {
    const base = cut(name, longest) || `column ${column + 1}`
    let unique = base
    for (let number = 2; taken.has(unique); number++) unique = `${base} ${number}`
    taken.add(unique)
    return unique
  })
}

/** On one line, without control characters and halves of characters. */
const readable = (name: string): string =>
  name
    .replace(/\p{Cc}+|\s+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\p{Surrogate}/gu, '\uFFFD')

/** Shorter where many names are long: all together fit. */
const longestName = (names: readonly string[], bytes: number): number =>
  names.reduce((sum, name) => sum + Buffer.byteLength(JSON.stringify(cut(name, NAME_CHARACTERS))), 0) <= bytes
    ? NAME_CHARACTERS
    : Math.floor(bytes / names.length / 3)

/** At most `length` characters, never half a surrogate pair. */
const cut = (name: string, length: number): string =>
  name.length <= length
    ? name
    : name
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, '')
        .trim()

/** Every column is text: what it means is for the mapping to say. */
export const fieldsOf = (names: readonly string[]) => names.map((key) => ({ key, type: 'string' as const, label: key }))
