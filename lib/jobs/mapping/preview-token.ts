/** The token of a preview: everything that decides what a mapping job writes, at the time of the preview. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Problem } from '../../../schemas/kit/error-codes.ts'
import { Id } from '../../../schemas/kit/ids.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { DuplicateSearch } from '../../../schemas/quality/shape.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { tryParseJson } from '../../core/json.ts'
import type { NewJob } from '../../entities/jobs.ts'
import type { NewRule } from '../../mapping/edges.ts'
import { readLinkedCommitIds, readNewestCommitId } from '../../records/index.ts'
import { type MappedSheets, resolveMappedSheets } from './mapped-sheets.ts'
import { readRules } from './read-rules.ts'

const Position = Id.nullable()
const PreviewedState = z.object({
  jobId: Id,
  plan: z.string(),
  source: Position,
  sourceFields: z.string(),
  destination: Position,
  destinationFields: z.string(),
  linked: z.string(),
})
type PreviewedState = z.infer<typeof PreviewedState>

export interface MappingInputs {
  job: Pick<NewJob, 'id' | 'config' | 'input'>
  rules: readonly NewRule[]
  merges: readonly DuplicateSearch[]
  sheets: MappedSheets
}

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('base64url').slice(0, 22)

const sortKeys = (_: string, part: unknown): unknown =>
  typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).sort())
    : part

interface Positions {
  source: string | undefined
  destination: string | undefined
  linked: readonly (readonly [sheetId: string, commitId: string | undefined])[]
}

export function describeState(
  { job, rules, merges, sheets: { source, destination } }: MappingInputs,
  positions: Positions,
): PreviewedState {
  return {
    jobId: job.id,
    plan: hash([rules.map(({ type, config }) => [type, config]), job.config, job.input, merges]),
    source: positions.source ?? null,
    sourceFields: hash([source.id, source.config.fields]),
    destination: positions.destination ?? null,
    destinationFields: hash([destination.id, destination.config.fields, destination.config.constraints ?? null]),
    linked: hash(positions.linked),
  }
}

export async function readPositions({ source, destination }: MappedSheets): Promise<Positions> {
  const destinationRef = toSheetRef(destination)
  const [sourceCommitId, destinationCommitId, linked] = await Promise.all([
    readNewestCommitId(toSheetRef(source)),
    readNewestCommitId(destinationRef),
    readLinkedCommitIds(destinationRef),
  ])
  return { source: sourceCommitId, destination: destinationCommitId, linked }
}

export const encodeToken = (state: PreviewedState): string => Buffer.from(JSON.stringify(state)).toString('base64url')

export function parseToken(token: string, jobId: string): PreviewedState {
  const result = PreviewedState.safeParse(tryParseJson(Buffer.from(token, 'base64url').toString('utf8')))
  if (!result.success || result.data.jobId !== jobId) throw invalidField('preview', message('mappings.invalidPreview'))
  return result.data
}

export async function assertUnchangedSince(
  previewed: PreviewedState,
  inputs: MappingInputs,
  known?: Pick<Positions, 'destination'>,
): Promise<void> {
  const positions = await readPositions(inputs.sheets)
  const problems = findChanges(previewed, describeState(inputs, { ...positions, ...known }), inputs.sheets)
  if (problems.length > 0) throw new ApiError('conflict', problems)
}

function findChanges(
  previewed: PreviewedState,
  current: PreviewedState,
  { source, destination }: MappedSheets,
): Problem[] {
  const changes = {
    plan: message('mappings.planChanged'),
    source: message('mappings.recordsChanged', { sheet: source.name }),
    sourceFields: message('mappings.fieldsChanged', { sheet: source.name }),
    destination: message('mappings.recordsChanged', { sheet: destination.name }),
    destinationFields: message('mappings.fieldsChanged', { sheet: destination.name }),
    linked: message('mappings.linkedRecordsChanged', { sheet: destination.name }),
  }
  return (Object.keys(changes) as (keyof typeof changes)[])
    .filter((part) => previewed[part] !== current[part])
    .map((part) => ({ key: `preview.${part}`, message: changes[part] }))
}

export async function assertPreviewHolds(job: NewJob, token: string): Promise<void> {
  const previewed = parseToken(token, job.id)
  const sheets = await resolveMappedSheets(job, job)
  const { rules, merges } = await readRules(job, sheets)
  await assertUnchangedSince(previewed, { job, rules, merges, sheets })
}
