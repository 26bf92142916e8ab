/** A request in flight may predate the change, so it is awaited and repeated; canceling it could starve the query. */
import type { Query, QueryClient } from '@tanstack/react-query'

const awaitedQueries = new WeakSet<Query>()

export function invalidate(client: QueryClient, queryKey: readonly unknown[] = []): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const refetch = () => {
      awaitedQueries.delete(query)
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
    if (!query.promise || query.state.fetchStatus === 'idle') refetch()
    else if (!awaitedQueries.has(query)) {
      awaitedQueries.add(query)
      const scheduleRefetch = () => setTimeout(refetch)
      query.promise.then(scheduleRefetch, scheduleRefetch)
    }
  }
}
