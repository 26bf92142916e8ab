import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { data, list, paged, pageQuery, Success } from '../kit/page.ts'
import { AssistantConfig, AssistantSettings, MAX_QUESTION_LENGTH, Proposal } from './assistant.ts'
import { Message } from './shape.ts'

export const assistant = endpoint({
  id: 'threads.assistant',
  method: 'GET',
  path: '/assistant',
  summary: 'Reads the settings of the assistant, for each environment',
  description: 'The API key of the model is never returned.',
  policy: { can: 'threads:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({ environmentId: scoped('environment').optional() }),
  reply: list(AssistantSettings),
  errors: ['not-found'],
  example: { query: { environmentId: '{environmentId}' } },
})
export const configureAssistant = endpoint({
  id: 'threads.configureAssistant',
  method: 'PUT',
  path: '/assistant',
  summary: 'Sets the model of the assistant for an environment, which turns it on',
  description:
    'With the provider `openai`, `url` is the address of an OpenAI-compatible API such as https://api.openai.com/v1, to which `/chat/completions` is added. It must be https and on the public internet. ' +
    'With `bedrock`, `model` is one of `bedrockModels`, which the operator of the deployment allows. ' +
    'A stored key stays if `apiKey` is omitted and the address is the same; `null` removes it. ' +
    'The model reads names of sheets and fields, counts and groups of errors, and per message the values of at most `sampleRecords` records, by default none.',
  policy: { can: 'environments:write', on: 'environment', at: 'body.environmentId', optional: true },
  audit: 'change',
  body: AssistantConfig,
  reply: data(AssistantSettings),
  errors: ['not-found', 'conflict'],
  example: {
    body: {
      environmentId: '{environmentId}',
      provider: 'openai',
      url: 'https://models.example.com/v1',
      model: 'a-model',
      apiKey: 'the-key-of-the-model',
    },
  },
})
export const removeAssistant = endpoint({
  id: 'threads.removeAssistant',
  method: 'DELETE',
  path: '/assistant',
  summary: 'Turns the assistant off and deletes its settings and key',
  policy: { can: 'environments:write', on: 'environment', at: 'query.environmentId', optional: true },
  audit: 'change',
  query: z.object({ environmentId: scoped('environment').optional() }),
  reply: Success,
  errors: ['not-found'],
  example: { query: { environmentId: '{environmentId}' } },
})

const params = z.object({ threadId: Id })
const at = 'params.threadId'
const write = { can: 'threads:write', on: 'thread', at } as const

export const ask = endpoint({
  id: 'threads.ask',
  method: 'POST',
  path: '/threads/{threadId}/ask',
  summary: 'Asks the assistant: adds a message, and a job that adds the reply',
  description:
    'The thread is about a space, a workbook or a sheet, and the assistant works only on that, with the permissions of the caller. It changes nothing: changes are proposals that a person applies. ' +
    'While it replies, the status of the thread is `active`; afterwards it is `ready`, or `error` if the reply says what went wrong. Both emit `thread:updated`.',
  policy: write,
  audit: 'change',
  params,
  body: z.strictObject({ text: z.string().trim().min(1).max(MAX_QUESTION_LENGTH) }),
  reply: data(z.object({ message: Message, jobId: Id })),
  errors: ['conflict', 'too-many-requests'],
  example: { params: { threadId: '{threadId}' }, body: { text: 'Which values are wrong, and can you fix them?' } },
})
export const proposals = endpoint({
  id: 'threads.proposals',
  method: 'GET',
  path: '/threads/{threadId}/proposals',
  summary: 'Lists the changes that the assistant proposed in a thread, oldest first',
  policy: { can: 'threads:read', on: 'thread', at },
  params,
  query: z.object(pageQuery(100)),
  reply: paged(Proposal),
  also: ['large'],
  example: { params: { threadId: '{threadId}' } },
})

const proposalParams = { params: z.object({ threadId: Id, proposalId: scoped('proposal') }) }
const proposalExample = { params: { threadId: '{assistedThreadId}', proposalId: '{proposalId}' } }

export const applyProposal = endpoint({
  id: 'threads.applyProposal',
  method: 'POST',
  path: '/threads/{threadId}/proposals/{proposalId}/apply',
  summary: 'Applies a proposed change exactly as previewed, with the permissions of the caller',
  description:
    'The change is one commit, or for an import or a mutation a job. If the data changed since the preview, nothing is changed, and the response is a 409. ' +
    'Applying an applied proposal changes nothing more.',
  policy: write,
  audit: 'change',
  ...proposalParams,
  reply: data(Proposal),
  errors: ['not-found', 'conflict', 'unprocessable'],
  example: proposalExample,
})
export const undoProposal = endpoint({
  id: 'threads.undoProposal',
  method: 'POST',
  path: '/threads/{threadId}/proposals/{proposalId}/undo',
  summary: 'Undoes an applied proposal by another commit',
  description: 'If the changed records were changed again since, nothing is undone, and the response is a 409.',
  policy: write,
  audit: 'change',
  ...proposalParams,
  reply: data(Proposal),
  errors: ['not-found', 'conflict', 'unprocessable'],
  example: proposalExample,
})
