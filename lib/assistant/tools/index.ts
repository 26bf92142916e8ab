import * as z from 'zod'
import { ApiError } from '../../core/errors.ts'
import { RefusedError } from '../../mcp/api.ts'
import { formatResult } from '../../mcp/results.ts'
import type { ToolCall, ToolDescription, ToolResult } from '../models/model.ts'
import * as others from './propose-others.ts'
import * as values from './propose-values.ts'
import * as read from './read.ts'
import type { Tool, ToolSession } from './tool.ts'

const TOOLS: readonly Tool[] = [
  read.listSheets,
  read.getSheet,
  read.listErrors,
  read.findSimilar,
  read.readSample,
  values.proposeFix,
  values.proposeEdit,
  values.proposeReplaceText,
  values.proposeSetValues,
  values.proposeUpdate,
  values.proposeMerge,
  values.proposeMissing,
  others.proposeImport,
  others.proposeMutation,
  others.proposeConstraint,
]

const selectTools = (sampleRecords: number): Tool[] => TOOLS.filter((tool) => !tool.readsRecords || sampleRecords > 0)

export const describeTools = (sampleRecords: number): ToolDescription[] =>
  selectTools(sampleRecords).map(({ name, description, input }) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>,
  }))

/** A call that is wrong changes nothing. The model reads why, and can correct it. */
export async function runTool(session: ToolSession, sampleRecords: number, call: ToolCall): Promise<ToolResult> {
  const { id, name } = call
  try {
    const tool = selectTools(sampleRecords).find((one) => one.name === name)
    if (!tool) throw new RefusedError(`There is no tool ${name}.`)
    const result = await tool.run(session, parseArgs(tool, call.args))
    return { id, text: markAsData(formatResult(result)), isError: false }
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof ApiError)) throw error
    return { id, text: markAsData(error.message), isError: true }
  }
}

function parseArgs({ input }: Tool, args: unknown): Record<string, unknown> {
  if (args === undefined) throw new RefusedError('The arguments are not valid JSON.')
  const parsed = input.strict().safeParse(args)
  if (parsed.success) return parsed.data
  throw new RefusedError(
    parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`).join('\n'),
  )
}

/** No text of a customer can end the data that it is in. */
const markAsData = (text: string): string => `<data>${text.replaceAll('<', '\\u003c')}</data>`
