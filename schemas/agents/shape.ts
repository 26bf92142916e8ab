import * as z from 'zod'
import { findTopicProblem, topicSchema } from '../events/known-topics.ts'
import { AnyObject } from '../kit/any-object.ts'
import { Context } from '../kit/context.ts'
import { Id, scoped, Time } from '../kit/ids.ts'
import { notSupported, nullish } from '../kit/nullish.ts'
import { message } from '../messages/index.ts'
import { MAX_RECORDS_PER_CALL, MIN_RECORDS_PER_EVENT } from '../records/limits.ts'

export const MAX_TOPICS_PER_AGENT = 250
export const MAX_AGENT_SECONDS = 900
export const AGENT_MEGABYTES = 1024
/** Immediately, then after one and two minutes. */
export const MAX_AGENT_ATTEMPTS = 3
export const MAX_AGENT_QUEUE_SECONDS = 21_600
export const MAX_AGENT_LOAD_SECONDS = 10
const MAX_SETTING_BYTES = 32 * 1024

export const AgentTopic = topicSchema((name) =>
  name.includes('*') ? message('agents.exactTopic') : findTopicProblem(name),
)

const limitedSetting = <T extends z.ZodType>(shape: T) =>
  nullish(
    shape.refine(
      (value) => JSON.stringify(value).length <= MAX_SETTING_BYTES,
      message('agents.settingTooLarge', { limit: MAX_SETTING_BYTES }),
    ),
  )

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

export const Agent = z.object({
  id: Id,
  accountId: Id,
  environmentId: Id,
  slug: z.string(),
  namespace: z.string().optional(),
  compiler: z.literal('js'),
  topics: z.array(z.string()),
  isSystem: z.boolean(),
  /** Events call only active agents. */
  isActive: z.boolean(),
  options: AnyObject.optional(),
  packageVersions: z.record(z.string(), z.string()).optional(),
  commitInfo: AnyObject.optional(),
  recordsPerEvent: z.number().int().optional(),
  ignoreOwnCommits: z.boolean().optional(),
  /** `deploying` until its function and rules exist; deploying the slug again completes it. */
  status: z.enum(['deploying', 'active']),
  createdAt: Time,
  updatedAt: Time,
})
export type Agent = z.infer<typeof Agent>

export const AgentCode = z.object({
  version: z.number().int(),
  /** Whether these are the files before bundling, from the source map. Otherwise, the only file is the bundle. */
  isOriginal: z.boolean(),
  files: z.array(z.object({ name: z.string(), text: z.string() })),
})
export type AgentCode = z.infer<typeof AgentCode>

export const AgentBundle = z.object({
  source: z.string(message('agents.sourceRequired')).min(1),
  sourceMap: nullish(z.string().refine(isJsonObject, message('agents.sourceMapNotJson'))),
})

/** The upload URL for a bundle that is too large for a request. Expires after an hour. */
export const AgentUpload = z.object({ uploadId: Id, method: z.literal('PUT'), url: z.string(), expiresAt: Time })

export const AgentConfig = z
  .object({
    slug: nullish(z.string().min(1).max(200)),
    topics: z
      .array(AgentTopic)
      .max(MAX_TOPICS_PER_AGENT)
      .transform((names) => [...new Set(names)]),
    compiler: nullish(z.literal('js', message('agents.compilerNotJs'))),
    source: nullish(AgentBundle.shape.source),
    sourceMap: AgentBundle.shape.sourceMap,
    uploadId: nullish(scoped('agentUpload')),
    template: notSupported(message('agents.templateNotSupported')),
    templateOptions: notSupported(message('agents.templateOptionsNotSupported')),
    namespace: nullish(z.string().max(200)),
    isSystem: nullish(z.boolean()),
    options: limitedSetting(AnyObject),
    packageVersions: limitedSetting(z.record(z.string(), z.string())),
    commitInfo: limitedSetting(AnyObject),
    recordsPerEvent: nullish(z.number().int().min(MIN_RECORDS_PER_EVENT).max(MAX_RECORDS_PER_CALL)),
    ignoreOwnCommits: nullish(z.boolean()),
  })
  .refine(({ source, uploadId }) => (source ?? uploadId) != null, {
    path: ['source'],
    message: message('agents.sourceRequired'),
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .refine(({ source, sourceMap, uploadId }) => uploadId == null || (source ?? sourceMap) == null, {
    path: ['uploadId'],
    message: message('agents.uploadOrSource'),
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
export type AgentConfig = z.output<typeof AgentConfig>

export const AgentVersion = Agent.pick({
  slug: true,
  namespace: true,
  compiler: true,
  topics: true,
  isSystem: true,
  options: true,
  packageVersions: true,
  commitInfo: true,
  recordsPerEvent: true,
  ignoreOwnCommits: true,
  createdAt: true,
  updatedAt: true,
}).extend({
  id: Id,
  agent_id: Id,
  version: z.number().int(),
  /** Number of the version the package comes from; differs from `version` after a revert. */
  origin: z.number().int(),
})
export type AgentVersion = z.infer<typeof AgentVersion>

/**
 * `SOURCE`: original files. `SYSTEM_COMBINED`: bundle with source map. `AUTOBUILD_INLINED`: with autobuild
 * configurations.
 */
export const AgentExportType = z.enum(['AUTOBUILD_INLINED', 'SYSTEM_COMBINED', 'SOURCE'])
export type AgentExportType = z.infer<typeof AgentExportType>

export const AgentExport = z.object({
  id: Id,
  agentId: Id,
  exportType: AgentExportType,
  accountId: Id,
  environmentId: Id,
  createdAt: Time,
  updatedAt: Time,
})

/** Secrets are redacted; durations are in milliseconds, memory in bytes. */
export const AgentLog = z.object({
  id: Id,
  agentId: Id,
  eventId: Id,
  success: z.boolean(),
  /** `running` until Lambda reports the last attempt, including waiting times. */
  status: z.enum(['running', 'succeeded', 'failed']),
  createdAt: Time,
  completedAt: Time,
  log: z.string().optional(),
  error: z.string().optional(),
  /** Mapped to the original source if there is a source map. */
  errorStack: z.string().optional(),
  attempts: z.number().int().optional(),
  /** Time from the event's creation to the start of the last attempt. */
  queueLag: z.number().optional(),
  namespaces: z.array(z.string()).optional(),
  context: Context,
  topic: z.string(),
  duration: z.number(),
  memoryUsage: z.number().optional(),
  requestTime: z.number().optional(),
  requestCount: z.number().int().optional(),
  bytesReceived: z.number().optional(),
  bytesSent: z.number().optional(),
})
export type AgentLog = z.infer<typeof AgentLog>

export const Execution = AgentLog.omit({ log: true, context: true, namespaces: true }).extend({
  spaceId: Id.optional(),
})
export type Execution = z.infer<typeof Execution>
