/** Turns a file's columns into fields of a sheet, each with a unique name. Pure. */

const MAX_NAME_CHARACTERS = 500
/** Limit for all names as JSON, because a sheet's configuration is one DynamoDB item. */
const MAX_NAMES_BYTES = 100 * 1024

export function buildColumnNames(header: readonly string[], width: number, namesBytes = MAX_NAMES_BYTES): string[] {
  const sanitizedNames = Array.from({ length: width }, (_, column) => sanitizeName(header[column] ?? ''))
  const maxLength = computeMaxLength(sanitizedNames, Math.min(namesBytes, MAX_NAMES_BYTES))
  const usedNames = new Set<string>(['__proto__'])
  return sanitizedNames.map((name, column) => {
    const base = truncate(name, maxLength) || `column ${column + 1}`
    let unique = base
    for (let number = 2; usedNames.has(unique); number++) unique = `${base} ${number}`
    usedNames.add(unique)
    return unique
  })
}

const sanitizeName = (name: string): string =>
  name
    .replace(/\p{Cc}+|\s+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\p{Surrogate}/gu, '\uFFFD')

const computeMaxLength = (names: readonly string[], bytes: number): number =>
  names.reduce((sum, name) => sum + Buffer.byteLength(JSON.stringify(truncate(name, MAX_NAME_CHARACTERS))), 0) <= bytes
    ? MAX_NAME_CHARACTERS
    : Math.floor(bytes / names.length / 3)

const truncate = (name: string, length: number): string =>
  name.length <= length
    ? name
    : name
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, '')
        .trim()

/** Raw, so that an export has the header of the file; the names of columns without a header. */
export function buildColumnLabels(
  header: readonly string[],
  names: readonly string[],
  namesBytes = MAX_NAMES_BYTES,
): string[] {
  const labels = names.map((name, column) => {
    const label = header[column] ?? ''
    return label.trim() === '' ? name : label.replace(/\p{Surrogate}/gu, '\uFFFD')
  })
  const maxLength = computeMaxLength(labels, Math.min(namesBytes, MAX_NAMES_BYTES))
  return labels.map((label) => truncate(label, maxLength))
}

export const toTextFields = (names: readonly string[], labels: readonly string[]) =>
  names.map((key, column) => ({ key, type: 'string' as const, label: labels[column]! }))
