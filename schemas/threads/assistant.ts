import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { Id, scoped, Time } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'

export const MAX_QUESTION_LENGTH = 4000
export const MAX_REPLY_LENGTH = 10_000
/** Older ones are left out of what the model reads. */
export const MAX_MESSAGES_READ = 20
export const MAX_MESSAGES_PER_ASSISTED_THREAD = 200
export const MAX_MODEL_CALLS = 10
export const MAX_TOOL_CALLS = 30
export const MAX_PROPOSALS_PER_REPLY = 10
export const MODEL_CALL_SECONDS = 90
export const REPLY_SECONDS = 300
export const MODEL_RESPONSE_BYTES = 512 * 1024
export const MAX_MODEL_TOKENS_PER_CALL = 4096
/** Characters of a proposed change as JSON: all proposals of a reply are stored in one transaction. */
export const MAX_PROPOSED_CHANGE_LENGTH = 100_000
export const MAX_SAMPLE_RECORDS = 20
export const DEFAULT_MESSAGES_PER_DAY = 200
export const MAX_MESSAGES_PER_DAY = 10_000
export const MAX_PROPOSAL_EXAMPLES = 3
export const MAX_REASON_LENGTH = 500

export const ModelProvider = z.enum(['openai', 'bedrock'])
export type ModelProvider = z.infer<typeof ModelProvider>

export const AssistantSettings = z.object({
  environmentId: Id,
  enabled: z.boolean(),
  provider: ModelProvider.optional(),
  model: z.string().optional(),
  url: z.string().optional(),
  hasApiKey: z.boolean(),
  sampleRecords: z.number().int(),
  messagesPerDay: z.number().int(),
  bedrockModels: z.array(z.string()),
  updatedAt: Time.optional(),
})
export type AssistantSettings = z.infer<typeof AssistantSettings>

export const AssistantConfig = z.strictObject({
  environmentId: nullish(scoped('environment')),
  provider: ModelProvider,
  model: z.string().trim().min(1).max(200),
  url: nullish(z.string().max(2000)),
  apiKey: z
    .string()
    .min(1)
    .max(2000)
    .regex(/^[\x21-\x7e]+$/)
    .nullish(),
  sampleRecords: z.number().int().min(0).max(MAX_SAMPLE_RECORDS).default(0),
  messagesPerDay: z.number().int().min(1).max(MAX_MESSAGES_PER_DAY).default(DEFAULT_MESSAGES_PER_DAY),
})
export type AssistantConfig = z.output<typeof AssistantConfig>

export const PROPOSAL_KINDS = [
  'edit',
  'replace-text',
  'set-values',
  'update-records',
  'merge',
  'create-missing',
  'import',
  'mutation',
  'constraint',
] as const
export const ProposalKind = z.enum(PROPOSAL_KINDS)
export type ProposalKind = z.infer<typeof ProposalKind>

export const ProposalStatus = z.enum(['open', 'applying', 'applied', 'undone'])

export const ProposalExample = z.object({ field: z.string().optional(), before: z.unknown(), after: z.unknown() })
export type ProposalExample = z.infer<typeof ProposalExample>

export const Proposal = z.object({
  id: Id,
  threadId: Id,
  messageId: Id,
  kind: ProposalKind,
  sheetId: Id,
  sheetName: z.string(),
  fields: z.array(z.string()),
  reason: z.string().optional(),
  preview: z.object({
    counts: z.record(z.string(), z.number().int()),
    examples: z.array(ProposalExample).max(MAX_PROPOSAL_EXAMPLES),
    details: AnyObject.optional(),
  }),
  status: ProposalStatus,
  appliedBy: Id.optional(),
  appliedAt: Time.optional(),
  commitId: Id.optional(),
  jobId: Id.optional(),
  undoneBy: Id.optional(),
  undoneAt: Time.optional(),
  createdAt: Time,
})
export type Proposal = z.infer<typeof Proposal>
