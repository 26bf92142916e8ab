/** One page of a sorted list. The token is the key of the last item on the page before; a page has up to 100 items. */
const LARGEST_PAGE = 100

export function page<T>(
  sorted: T[],
  keyOf: (item: T) => string,
  { Limit = LARGEST_PAGE, NextToken = '' }: { Limit?: number; NextToken?: string },
): { items: T[]; NextToken: string | undefined } {
  const rest = sorted.filter((item) => keyOf(item) > NextToken)
  const items = rest.slice(0, Limit)
  return { items, NextToken: items.length < rest.length ? keyOf(items.at(-1)!) : undefined }
}
