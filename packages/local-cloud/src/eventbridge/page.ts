/** Returns one page of a sorted list; the token is the key of the previous page's last item. */
const MAX_ITEMS_PER_PAGE = 100

export function paginate<T>(
  sorted: T[],
  getKey: (item: T) => string,
  { Limit = MAX_ITEMS_PER_PAGE, NextToken = '' }: { Limit?: number; NextToken?: string },
): { items: T[]; NextToken: string | undefined } {
  const remaining = sorted.filter((item) => getKey(item) > NextToken)
  const items = remaining.slice(0, Limit)
  return { items, NextToken: items.length < remaining.length ? getKey(items.at(-1)!) : undefined }
}
