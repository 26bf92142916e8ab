/** Results of tools as text for a model: short, because every character costs the model's attention. */
import { MAX_RESULT_LENGTH } from '../../schemas/mcp/changes.ts'

interface WireRecord {
  id: string
  valid?: boolean
  values: Record<string, { value: unknown; messages?: { type?: string; message?: string }[] }>
}

interface ShortRecord {
  id: string
  valid?: boolean | undefined
  values: Record<string, unknown>
  errors?: Record<string, string[]>
}

export function shortenRecord({ id, valid, values }: WireRecord): ShortRecord {
  const errors: Record<string, string[]> = {}
  for (const [key, { messages = [] }] of Object.entries(values)) {
    const texts = messages.flatMap(({ type, message }) => (type === 'error' && message ? [message] : []))
    if (texts.length > 0) errors[key] = texts
  }
  return {
    id,
    valid,
    values: Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, value])),
    ...(Object.keys(errors).length > 0 ? { errors } : {}),
  }
}

/** Cuts the longest list of a long result after an item, and says so. */
export function formatResult(result: unknown): string {
  const text = JSON.stringify(result)
  if (text.length <= MAX_RESULT_LENGTH) return text
  const [name, items] = findLongestList(result) ?? []
  if (name === undefined || items === undefined || items.length === 0)
    return `${text.slice(0, MAX_RESULT_LENGTH)}\n(cut after ${MAX_RESULT_LENGTH} characters)`
  const others = text.length - JSON.stringify(items).length
  const shown = takeWhileShort(items, MAX_RESULT_LENGTH - others)
  return JSON.stringify({
    ...(result as object),
    [name]: shown,
    cut: `Only the first ${shown.length} of ${items.length} entries of ${name} fit. Ask for a smaller pageSize or fewer fields.`,
  })
}

function findLongestList(result: unknown): [string, unknown[]] | undefined {
  const lists = Object.entries(result as object).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  )
  return lists.sort(([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length)[0]
}

function takeWhileShort(items: readonly unknown[], length: number): unknown[] {
  let remaining = length
  return items.slice(
    0,
    items.findIndex((item) => {
      remaining -= JSON.stringify(item).length + 1
      return remaining < 0
    }),
  )
}
