export interface ToolCall {
  id: string
  name: string
  /** Undefined if the model did not write JSON. */
  args: unknown
}

export interface ToolResult {
  id: string
  text: string
  isError: boolean
}

export type ChatMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: ToolCall[] }
  | { role: 'results'; results: ToolResult[] }

export interface ToolDescription {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

export interface ModelRequest {
  system: string
  messages: readonly ChatMessage[]
  tools: readonly ToolDescription[]
  timeoutMs: number
}

export interface ModelReply {
  text: string
  calls: ToolCall[]
  inputTokens: number
  outputTokens: number
}

export type Model = (request: ModelRequest) => Promise<ModelReply>

/** The model gave no usable reply. The message is for the person who asked. */
export class ModelError extends Error {}
