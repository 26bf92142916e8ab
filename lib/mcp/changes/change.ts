import type * as z from 'zod'
import type { ChangeTool } from '../../../schemas/mcp/changes.ts'
import type { Api, ApiRequest } from '../api.ts'

/** Records that a person can review in a data clip before the sheet changes. */
export interface Proposal {
  sheetId: string
  /** How the records are selected that the change touches. */
  select: { recordIds: string[] } | { query: Record<string, unknown> }
  /** The change in the sheet of the clip. Ids of records are those of the source. */
  request: ApiRequest
}

export interface Change {
  /** The request that makes the change, exactly as previewed. */
  request: ApiRequest
  /** Absent if only the whole change can be applied. */
  proposal?: Proposal
}

export interface Previewed {
  shown: object
  /** Absent if nothing would change. */
  change?: Change
}

export interface ChangeDefinition {
  tool: ChangeTool
  preview(api: Api, args: Record<string, unknown>): Promise<Previewed>
}

/** The endpoints read `ids` next to another condition as exceptions, so a condition is added only without them. */
export const narrowSelection = (
  selection: { ids?: string[] | undefined; filter?: unknown; q?: unknown },
  condition: Record<string, unknown>,
): Proposal['select'] =>
  selection.ids && selection.filter === undefined && selection.q === undefined
    ? { recordIds: selection.ids }
    : { query: { ...selection, ...condition } }

export const defineChange = <T extends ChangeTool>(
  tool: T,
  preview: (api: Api, args: z.output<T['input']>) => Promise<Previewed>,
): ChangeDefinition => ({ tool, preview: (api, args) => preview(api, args as z.output<T['input']>) })
