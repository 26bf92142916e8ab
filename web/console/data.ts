import { queryOptions } from '@tanstack/react-query'
import { api, type Shape, unwrap } from '../shared/api/client.ts'

export type Environment = Shape<'Environment'>

export const environmentsQuery = queryOptions({
  queryKey: ['environments'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/environments', { params: { query: { pageSize: 100 } } }))).data,
})

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/accounts/current'))).data,
})

export interface PageProps {
  environment: Environment
}
