/** The shapes of agents: what is deployed, its versions, and the records of runs. Their endpoints are in agents.ts. */
import * as z from 'zod'
import { Context } from './context.ts'
import { Id, scoped, Time } from './ids.ts'
import { maybe, refused } from './optional.ts'
import { topicProblem, topicText } from './topics.ts'

/** An agent is called for at most this many topics. */
export const TOPICS_PER_AGENT = 250
/** Lambda's own longest time: an agent may read and write many records for one event. */
export const AGENT_SECONDS = 900
export const AGENT_MEGABYTES = 1024
/** How often an event is tried: at once, and after one and two minutes. */
export const AGENT_ATTEMPTS = 3
/** How long an event waits for its agent at most, all attempts together. */
export const AGENT_QUEUE_SECONDS = 21_600
/** How long a bundle may take to load when it is deployed. */
export const CHECK_SECONDS = 10
/** Free-form settings of an agent (`options`, `packageVersions`, `commitInfo`), each as JSON, in bytes. */
const SETTING_BYTES = 32 * 1024

/** One topic by its exact name: of the catalogue, or a custom one. */
export const AgentTopic = topicText((name) =>
  name.includes('*') ? 'must be an exact topic: wildcards are not taken, name each topic' : topicProblem(name),
)

const setting = <T extends z.ZodType>(shape: T) =>
  maybe(
    shape.refine(
      (value) => JSON.stringify(value).length <= SETTING_BYTES,
      `must be at most ${SETTING_BYTES} bytes as JSON`,
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
  /** Exact topic names, never wildcards. */
  topics: z.array(z.string()),
  isSystem: z.boolean(),
  options: z.record(z.string(), z.unknown()).optional(),
  packageVersions: z.record(z.string(), z.string()).optional(),
  commitInfo: z.record(z.string(), z.unknown()).optional(),
  /** `deploying` until its function and rules stand; deploying the same slug again completes what was interrupted. */
  status: z.enum(['deploying', 'active']),
  createdAt: Time,
  updatedAt: Time,
})
export type Agent = z.infer<typeof Agent>

/** What an agent runs: the text of a CommonJS module, and where its lines came from. */
export const AgentBundle = z.object({
  source: z.string('is required: the text of a CommonJS module whose exports have routeEvent(event)').min(1),
  sourceMap: maybe(z.string().refine(isJsonObject, 'must be a source map as JSON text')),
})

/** Where a bundle too large for a request is put to, within the hour. */
export const AgentUpload = z.object({ uploadId: Id, method: z.literal('PUT'), url: z.string(), expiresAt: Time })

export const AgentConfig = z
  .object({
    slug: maybe(z.string().min(1).max(200)),
    topics: z
      .array(AgentTopic)
      .max(TOPICS_PER_AGENT)
      .transform((names) => [...new Set(names)]),
    compiler: maybe(z.literal('js', 'must be js')),
    source: maybe(AgentBundle.shape.source),
    sourceMap: AgentBundle.shape.sourceMap,
    /** Instead of `source` and `sourceMap`: the upload that holds them. */
    uploadId: maybe(scoped('agentUpload')),
    template: refused('agents are made of their own source here: give `source`'),
    templateOptions: refused('belong to a template, and agents are made of their own source here'),
    namespace: maybe(z.string().max(200)),
    isSystem: maybe(z.boolean()),
    options: setting(z.record(z.string(), z.unknown())),
    packageVersions: setting(z.record(z.string(), z.string())),
    commitInfo: setting(z.record(z.string(), z.unknown())),
  })
  // Told together with what else is wrong.
  .refine(({ source, uploadId }) => (source ?? uploadId) != null, {
    path: ['source'],
    message: 'is required: the text of a CommonJS module whose exports have routeEvent(event)',
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .refine(({ source, sourceMap, uploadId }) => uploadId == null || (source ?? sourceMap) == null, {
    path: ['uploadId'],
    message: 'holds source and source map: give them once',
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
export type AgentConfig = z.output<typeof AgentConfig>

/** One deployment of an agent; its source and source map are kept with it. */
export const AgentVersion = Agent.pick({
  slug: true,
  namespace: true,
  compiler: true,
  topics: true,
  isSystem: true,
  options: true,
  packageVersions: true,
  commitInfo: true,
  createdAt: true,
  updatedAt: true,
}).extend({
  id: Id,
  agent_id: Id,
  /** From 1, counted up by every deployment and revert. */
  version: z.number().int(),
  /** The version whose package this is: its own number, or the one that was gone back to. */
  origin: z.number().int(),
})
export type AgentVersion = z.infer<typeof AgentVersion>

/**
 * `SOURCE`: the files the bundle was made of, as its source map has them. `SYSTEM_COMBINED`: the bundle with its source map, as
 * it runs. `AUTOBUILD_INLINED`: the source files beside the environment's autobuild configurations.
 */
export const AgentExportType = z.enum(['AUTOBUILD_INLINED', 'SYSTEM_COMBINED', 'SOURCE'])
export type AgentExportType = z.infer<typeof AgentExportType>

/** An agent's code as an archive, made by a job. */
export const AgentExport = z.object({
  id: Id,
  agentId: Id,
  exportType: AgentExportType,
  accountId: Id,
  environmentId: Id,
  createdAt: Time,
  updatedAt: Time,
})

/** One event handed to one agent: how it ended. Keys, tokens and values of secrets are taken out of log and error. Durations in milliseconds, memory in bytes. */
export const AgentLog = z.object({
  id: Id,
  agentId: Id,
  eventId: Id,
  success: z.boolean(),
  /** `running` until Lambda reports the end of the last attempt: it runs, waits for its turn, or for its next attempt. */
  status: z.enum(['running', 'succeeded', 'failed']),
  /** When the run began; of a `running` one when its event was made. */
  createdAt: Time,
  /** Of a `running` one the present moment. */
  completedAt: Time,
  /** What the agent wrote to its console; for a failed run the error stands last. */
  log: z.string().optional(),
  /** The error of a failed run, after all its attempts. */
  error: z.string().optional(),
  /** Where it was thrown: places of the original source when the agent came with a source map. */
  errorStack: z.string().optional(),
  /** How often the event was tried. */
  attempts: z.number().int().optional(),
  /** From the event's creation to the start of the (last) run. */
  queueLag: z.number().optional(),
  namespaces: z.array(z.string()).optional(),
  context: Context,
  topic: z.string(),
  duration: z.number(),
  memoryUsage: z.number().optional(),
  requestTime: z.number().optional(),
  requestCount: z.number().int().optional(),
  /** What the network carried for the agent's requests. */
  bytesReceived: z.number().optional(),
  bytesSent: z.number().optional(),
})
export type AgentLog = z.infer<typeof AgentLog>

/** A run without its log. */
export const Execution = AgentLog.omit({ log: true, context: true, namespaces: true }).extend({
  spaceId: Id.optional(),
})
export type Execution = z.infer<typeof Execution>
