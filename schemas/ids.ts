/** Ids on the wire: one prefix per kind of thing. Clients treat ids as plain strings; so does every schema here. */
import * as z from 'zod'

export const ID_PREFIXES = {
  account: 'us_acc',
  environment: 'us_env',
  user: 'us_usr',
  guest: 'us_g',
  invitation: 'us_inv',
  token: 'us_pat',
  role: 'us_rol',
  actorRole: 'us_acr',
  auditEntry: 'us_aud',
  space: 'us_sp',
  workbook: 'us_wb',
  sheet: 'us_sh',
  record: 'us_rc',
  commit: 'us_vr',
  layer: 'us_ly',
  snapshot: 'us_ss',
  clip: 'us_clip',
  view: 'us_vi',
  app: 'us_app',
  constraint: 'us_cn',
  autobuild: 'us_ab',
  calculation: 'us_calc',
  file: 'us_fl',
  job: 'us_jb',
  event: 'us_evt',
  agent: 'us_ag',
  agentVersion: 'us_agv',
  agentUpload: 'us_agu',
  agentExport: 'us_age',
  execution: 'us_agx',
  secret: 'us_sec',
  retentionPolicy: 'us_drp',
  webhook: 'us_wh',
  delivery: 'us_whd',
  document: 'us_dc',
  thread: 'us_th',
  message: 'us_msg',
  canvas: 'us_cv',
  canvasArea: 'us_cva',
  program: 'us_mp',
  rule: 'us_mr',
  family: 'us_mf',
  action: 'us_act',
} as const

export type Kind = keyof typeof ID_PREFIXES

/** An id as it comes in: any non-empty string; an id of no existing thing answers 404, not 400. */
export const Id = z.string().min(1).max(200)

/**
 * How an id is scoped that comes from outside: in a query, a body, a plan, a job's config. Each is marked with one of
 * {@link scoped}, {@link narrowing} and {@link free}; test/contract/id-scopes.test.ts attacks the first two with ids of others.
 */
export type IdScope = { kinds: readonly Kind[]; refused: boolean } | { reason: string }
export const ID_SCOPES = z.registry<IdScope>()

const shape = () => z.string().min(1).max(200)

/** Loaded through the caller's scope: an id of somebody else's is refused like an id of nothing. */
export const scoped = (...kinds: Kind[]) => shape().register(ID_SCOPES, { kinds, refused: true })

/** Looked up among what the request reaches anyway: an id of somebody else's changes as little as an id of nothing. */
export const narrowing = (...kinds: Kind[]) => shape().register(ID_SCOPES, { kinds, refused: false })

/** A label: nothing is looked up by it, for this reason. */
export const free = (reason: string, label: z.ZodString = shape()) => label.register(ID_SCOPES, { reason })

/** An ISO-8601 UTC time with milliseconds. */
export const Time = z.string()
