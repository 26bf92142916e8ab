import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api, type Shape, unwrap } from '../shared/api/client.ts'
import type { operations } from '../shared/api/schema.generated.ts'

export type Environment = Shape<'Environment'>
export type Space = Shape<'Space'>
export type Guest = Shape<'Guest'>
export type Job = Shape<'Job'>
export type File = Shape<'File'>
export type Webhook = Shape<'Webhook'>
export type Event = operations['events.list']['responses'][200]['content']['application/json']['data'][number]

export interface PageProps {
  environment: Environment
}

export interface ObjectPageProps extends PageProps {
  id: string
  tab: string | undefined
}

export const EnvironmentContext = createContext<Environment | undefined>(undefined)

export function usePath(): (...parts: string[]) => string {
  const environment = useContext(EnvironmentContext)
  if (!environment) throw new Error('The page is outside of an environment.')
  return (...parts) => ['/console', environment.id, ...parts].join('/')
}

/** Longest lists of names to choose from. */
export const MAX_CHOICES = 1000

export const environmentsQuery = queryOptions({
  queryKey: ['environments'],
  queryFn: async () =>
    (await unwrap(api.GET('/api/v1/environments', { params: { query: { pageSize: MAX_CHOICES } } }))).data,
})

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/accounts/current'))).data,
})

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/roles'))).data,
})

export const spaceNamesQuery = (environmentId: string) =>
  queryOptions({
    queryKey: ['spaces', environmentId, 'names'],
    queryFn: async () => {
      const query = { environmentId, sortField: 'name', pageSize: MAX_CHOICES } as const
      return (await unwrap(api.GET('/api/v1/spaces', { params: { query } }))).data
    },
  })

export const objectQuery = <T>(key: QueryKey, read: () => Promise<{ data: T }>) =>
  queryOptions({ queryKey: key, queryFn: async () => (await read()).data })

export const spaceQuery = (spaceId: string) =>
  objectQuery(['space', spaceId], () => unwrap(api.GET('/api/v1/spaces/{spaceId}', { params: { path: { spaceId } } })))

export const workbooksQuery = (spaceId: string) =>
  objectQuery(['workbooks', spaceId], () => {
    const query = { spaceId, includeSheets: true, includeCounts: true } as const
    return unwrap(api.GET('/api/v1/workbooks', { params: { query } }))
  })
