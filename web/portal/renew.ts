/**
 * Asks anew for what is kept under a key. An answer that is on its way may be older than what happened: it is waited for and
 * asked for once more. It is not cancelled: where much happens, or answers are slow, none would ever come.
 */
import type { Query, QueryClient } from '@tanstack/react-query'

const waiting = new WeakSet<Query>()

export function renew(client: QueryClient, queryKey: readonly unknown[] = []): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const again = () => {
      waiting.delete(query)
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
    if (!query.promise || query.state.fetchStatus === 'idle') again()
    else if (!waiting.has(query)) {
      waiting.add(query)
      // Later than the query's own taking of the answer.
      const ended = () => setTimeout(again)
      query.promise.then(ended, ended)
    }
  }
}
