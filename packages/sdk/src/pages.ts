interface Page {
  pageNumber: number
  pageSize: number
}

interface BeforePage {
  before?: string
  pageSize: number
}

type ListReply<Item> = readonly Item[] | { data: readonly Item[] } | { records: readonly Item[] }

/** An item that a new one moved to the next page is returned once. */
export async function* paginate<Item>(
  read: (page: Page) => Promise<ListReply<Item>>,
  pageSize: number,
): AsyncGenerator<Item, void, undefined> {
  let previousIds = new Set<unknown>()
  for (let pageNumber = 1; ; pageNumber++) {
    const items = getItems(await read({ pageNumber, pageSize }))
    for (const item of items) if (!previousIds.has(getId(item))) yield item
    if (items.length < pageSize) return
    previousIds = new Set(items.map(getId).filter((id) => id !== undefined))
  }
}

export async function* paginateBefore<Item>(
  read: (page: BeforePage) => Promise<{ data: readonly Item[]; next?: string | undefined }>,
  pageSize: number,
): AsyncGenerator<Item, void, undefined> {
  for (let before: string | undefined; ; ) {
    const { data, next } = await read({ ...(before ? { before } : {}), pageSize })
    yield* data
    if (!next) return
    before = next
  }
}

function getItems<Item>(reply: ListReply<Item>): readonly Item[] {
  if ('records' in reply) return reply.records
  return 'data' in reply ? reply.data : reply
}

const getId = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? (item as { id?: unknown }).id : undefined
