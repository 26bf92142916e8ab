/** A second, naive implementation of find and replace. */

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
const isSame = (a: unknown, b: unknown): boolean => toText(a).toLowerCase() === toText(b).toLowerCase()

export function replaceValue(value: unknown, find: unknown, replace: unknown): unknown {
  if (find === null || find === undefined || find === '' || find === '""') return value === null ? replace : undefined
  if (value === null) return undefined
  if (!Array.isArray(value)) return replaceScalar(value, find, replace)
  const list = value.map((one) => replaceScalar(one, find, replace))
  if (list.every((one) => one === undefined)) return undefined
  return list.map((one, i) => (one === undefined ? value[i] : one)).filter((one) => one !== null)
}

function replaceScalar(value: unknown, find: unknown, replace: unknown): unknown {
  const isQuoted = typeof find === 'string' && find.length > 1 && find.startsWith('"') && find.endsWith('"')
  const wanted = isQuoted ? find.slice(1, -1) : find
  if (isQuoted || typeof find !== 'string' || typeof value !== 'string')
    return isSame(value, wanted) ? replace : undefined
  if (!value.toLowerCase().includes(find.toLowerCase())) return undefined
  if (replace === null) return null
  let result = ''
  for (let at = 0; at < value.length; )
    if (value.slice(at, at + find.length).toLowerCase() === find.toLowerCase()) {
      result += toText(replace)
      at += find.length
    } else result += value[at++]
  return result === value ? undefined : result
}
