import { queryOptions } from '@tanstack/react-query'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'

export type Proposal = Shape<'Proposal'>
export type Thread = Awaited<ReturnType<typeof createThread>>
export type Message = Awaited<ReturnType<typeof fetchMessages>>[number]

export const isAssistedQuery = (environmentId: string) =>
  queryOptions({
    queryKey: ['assistant', environmentId],
    async queryFn() {
      const { data } = await unwrap(api.GET('/api/v1/assistant', { params: { query: { environmentId } } }))
      return data.some(({ enabled }) => enabled)
    },
  })

/** The newest thread of the space, or null. */
export const threadQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['threads', spaceId],
    async queryFn() {
      const query = { resourceId: spaceId }
      const { data } = await unwrap(api.GET('/api/v1/threads', { params: { query } }))
      return data.reduce<Thread | null>((newest, thread) => (newest && newest.id > thread.id ? newest : thread), null)
    },
  })

export const conversationQuery = (threadId: string) =>
  queryOptions({
    queryKey: ['conversation', threadId],
    async queryFn() {
      const [messages, proposals] = await Promise.all([fetchMessages(threadId), fetchProposals(threadId)])
      return { messages, proposals }
    },
  })

async function fetchMessages(threadId: string) {
  const { data } = await unwrap(api.GET('/api/v1/threads/{threadId}/messages', { params: { path: { threadId } } }))
  return data
}

async function fetchProposals(threadId: string) {
  const params = { path: { threadId }, query: { pageSize: 100 } }
  return (await unwrap(api.GET('/api/v1/threads/{threadId}/proposals', { params }))).data
}

export const createThread = async (spaceId: string) =>
  (await unwrap(api.POST('/api/v1/threads', { body: { resourceId: spaceId, status: 'ready' } }))).data

export const ask = (threadId: string, text: string) =>
  unwrap(api.POST('/api/v1/threads/{threadId}/ask', { params: { path: { threadId } }, body: { text } }))

export function decide({ threadId, id: proposalId }: Proposal, decision: 'apply' | 'undo') {
  const params = { path: { threadId, proposalId } }
  return unwrap(
    decision === 'apply'
      ? api.POST('/api/v1/threads/{threadId}/proposals/{proposalId}/apply', { params })
      : api.POST('/api/v1/threads/{threadId}/proposals/{proposalId}/undo', { params }),
  )
}
