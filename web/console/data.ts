/** What the console asks for. */
import { queryOptions } from '@tanstack/react-query'
import { api, ask, type Shape } from '../shared/api/client.ts'

export type Environment = Shape<'Environment'>

export const environmentsQuery = queryOptions({
  queryKey: ['environments'],
  queryFn: async () => (await ask(api.GET('/api/v1/environments', { params: { query: { pageSize: 100 } } }))).data,
})

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => (await ask(api.GET('/api/v1/accounts/current'))).data,
})

/** What every page of the console is about. */
export interface Given {
  environment: Environment
}
