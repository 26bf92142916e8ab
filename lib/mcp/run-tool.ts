/** Runs one tool for one caller. */
import type * as z from 'zod'
import { READ_TOOLS } from '../../schemas/generated/mcp-tools.ts'
import * as changes from '../../schemas/mcp/changes.ts'
import type { AgentAccess } from '../../schemas/oauth/shape.ts'
import type { Tx } from '../tx.ts'
import { type Api, RefusedError } from './api.ts'
import type { ChangeDefinition } from './changes/change.ts'
import { CHANGES } from './changes/index.ts'
import { loadPreview, savePreview, saveResult } from './previews.ts'
import { proposeChange } from './propose.ts'
import { runReadTool } from './read.ts'
import { shortenRecord } from './results.ts'
import { uploadFile } from './upload.ts'

export interface Session {
  api: Api
  tx: Tx
  access: AgentAccess
}

type Args = Record<string, unknown>

/** Previews of these can be proposed. */
const PROPOSABLE: readonly string[] = [changes.edit, changes.replaceText, changes.setValues, changes.updateRecords].map(
  ({ name }) => name,
)
const NOTHING_CHANGES = 'Nothing would change.'

/** Read access has no tools that store anything; with `propose`, a person approves every change. */
export function isToolAllowed(access: AgentAccess, name: string): boolean {
  if (access === 'write' || READ_TOOLS.some((tool) => tool.name === name)) return true
  return access === 'propose' && (name === changes.proposeChange.name || PROPOSABLE.includes(name))
}

/** @throws RefusedError */
export async function runTool(session: Session, name: string, args: Args): Promise<unknown> {
  const read = READ_TOOLS.find((tool) => tool.name === name)
  if (read) return runReadTool(session.api, read, args)
  if (!isToolAllowed(session.access, name))
    throw new RefusedError(`The user allowed this connection to ${session.access} only, without ${name}.`)
  const change = CHANGES.find(({ tool }) => tool.name === name)
  if (change) return previewChange(session, change, args)
  if (name === changes.uploadFile.name) return uploadFile(session.api, parseArgs(changes.uploadFile.input, args))
  if (name === changes.applyChange.name) return applyChange(session, parseArgs(changes.applyChange.input, args))
  if (name === changes.proposeChange.name) return propose(session, parseArgs(changes.proposeChange.input, args))
  throw new RefusedError(`There is no tool ${name}.`)
}

function parseArgs<T extends z.ZodObject>(input: T, args: Args): z.output<T> {
  const parsed = input.strict().safeParse(args)
  if (parsed.success) return parsed.data as z.output<T>
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  throw new RefusedError(problems.join('\n'))
}

async function previewChange(
  { api, tx, access }: Session,
  { tool, preview }: ChangeDefinition,
  args: Args,
): Promise<object> {
  const { shown, change } = await preview(api, parseArgs(tool.input, args))
  if (!change) return { ...shown, note: NOTHING_CHANGES }
  const previewId = savePreview(tx, change)
  const next = [changes.applyChange, ...(change.proposal ? [changes.proposeChange] : [])]
    .flatMap(({ name }) => (isToolAllowed(access, name) ? [name] : []))
    .join(' or ')
  return { previewId, ...shown, note: `Nothing was changed. Show this to the person, then call ${next}.` }
}

async function applyChange({ api, tx }: Session, { previewId }: { previewId: string }): Promise<object> {
  const preview = await loadPreview(tx, previewId)
  if (preview.result) return { ...preview.result, note: 'This change was already applied. Nothing was changed again.' }
  const result = shortenReply(await api(preview.change.request, previewId))
  saveResult(tx, preview, result)
  return result
}

/** Inserted records are returned without their details. */
function shortenReply({ data }: { data: { records?: unknown } }): object {
  const { records, ...others } = data
  return Array.isArray(records) ? { ...others, records: records.map(shortenRecord) } : data
}

type ProposeArgs = z.output<typeof changes.proposeChange.input>

async function propose({ api, tx }: Session, { previewId, ...details }: ProposeArgs): Promise<object> {
  const preview = await loadPreview(tx, previewId)
  if (preview.result) return { ...preview.result, note: 'This change was already applied or proposed.' }
  const { proposal } = preview.change
  if (!proposal)
    throw new RefusedError(
      'Only edits, replacements and updates of records can be proposed. Ask the person, then call apply_change.',
    )
  const result = await proposeChange(api, proposal, details, previewId)
  saveResult(tx, preview, result)
  return { ...result, note: 'The sheet is unchanged until a person merges the data clip in the application.' }
}
