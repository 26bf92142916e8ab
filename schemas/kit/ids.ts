/** Id prefixes and the schemas of ids. Clients treat ids as plain strings, and so does every schema here. */
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
  proposal: 'us_prp',
  canvas: 'us_cv',
  canvasArea: 'us_cva',
  program: 'us_mp',
  rule: 'us_mr',
  family: 'us_mf',
  action: 'us_act',
  changePreview: 'us_cp',
} as const

export type Kind = keyof typeof ID_PREFIXES

/** Accepts any non-empty string: the id of a missing resource yields 404, not 400. */
export const Id = z.string().min(1).max(200)

/**
 * How an incoming id is authorized. Each is declared with {@link scoped}, {@link narrowing} or {@link unscoped};
 * test/contract/id-scopes.test.ts attacks the first two with foreign ids.
 */
export type IdScope = { kinds: readonly Kind[]; rejectsForeign: boolean } | { reason: string }
export const ID_SCOPES = z.registry<IdScope>()

const idSchema = () => z.string().min(1).max(200)

/** Loaded with authorization: a foreign id is rejected like an unknown one. */
export const scoped = (...kinds: Kind[]) => idSchema().register(ID_SCOPES, { kinds, rejectsForeign: true })

/** Filters what the caller can already see: a foreign id has no more effect than an unknown one. */
export const narrowing = (...kinds: Kind[]) => idSchema().register(ID_SCOPES, { kinds, rejectsForeign: false })

/** Never used for a lookup, for the given reason. */
export const unscoped = (reason: string, label: z.ZodString = idSchema()) => label.register(ID_SCOPES, { reason })

/** An ISO-8601 UTC time with milliseconds. */
export const Time = z.string()
