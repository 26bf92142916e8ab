import * as z from 'zod'
import { Id, Time } from '../../schemas/kit/ids.ts'
import { ModelProvider } from '../../schemas/threads/assistant.ts'
import { entity, type Stored } from '../table/entity.ts'

const Settings = z.object({
  environmentId: Id,
  accountId: Id,
  provider: ModelProvider,
  model: z.string(),
  url: z.string().optional(),
  sealedKey: z.string().optional(),
  sampleRecords: z.number().int(),
  messagesPerDay: z.number().int(),
  updatedAt: Time,
})

export const Assistants = entity({ name: 'assistant', shape: Settings, id: 'environmentId', by: {} })
export type StoredAssistant = Stored<typeof Settings>
export type NewAssistant = z.infer<typeof Settings>

const Question = z.object({
  jobId: Id,
  threadId: Id,
  messageId: Id,
  environmentId: Id,
  role: z.string(),
  address: z.string(),
  /** The authorization of the request, because the assistant has the permissions of the person who asks. */
  sealedAuthorization: z.string(),
  /** Seconds since 1970. */
  expires: z.number(),
})

export const Questions = entity({ name: 'question', shape: Question, id: 'jobId', by: {} })
export type StoredQuestion = Stored<typeof Question>
