import * as z from 'zod'
import { message } from '../../../schemas/messages/index.ts'
import { MAX_MODEL_TOKENS_PER_CALL, MODEL_RESPONSE_BYTES } from '../../../schemas/threads/assistant.ts'
import { tryParseJson } from '../../core/json.ts'
import { OutboundError, safeFetch } from '../../core/safe-fetch.ts'
import { type ChatMessage, type Model, ModelError, type ModelRequest } from './model.ts'

const Tokens = z.number().int().min(0).catch(0)
const Completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: Tokens, completion_tokens: Tokens }).nullish().catch(undefined),
})

export interface OpenAiConfig {
  url: string
  model: string
  apiKey: string | undefined
}

export const createOpenAiModel =
  ({ url, model, apiKey }: OpenAiConfig): Model =>
  async (request) => {
    const response = await safeFetch({
      url: `${url.replace(/\/+$/, '')}/chat/completions`,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Wharf-Assistant/1',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(buildBody(model, request)),
      timeoutMs: request.timeoutMs,
      maxResponseBytes: MODEL_RESPONSE_BYTES,
    }).catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error
      throw new ModelError(message('assistant.modelFailed', { reason: error.message }), { cause: error })
    })
    if (response.body.length >= MODEL_RESPONSE_BYTES)
      throw new ModelError(message('assistant.modelTooLarge', { limit: MODEL_RESPONSE_BYTES }))
    if (response.status !== 200)
      throw new ModelError(message('assistant.modelStatus', { status: String(response.status) }))
    return parseReply(response.body.toString('utf8'))
  }

function parseReply(text: string) {
  const { data } = Completion.safeParse(tryParseJson(text))
  if (!data) throw new ModelError(message('assistant.modelUnclear'))
  const { content, tool_calls } = data.choices[0]!.message
  return {
    text: content ?? '',
    calls: (tool_calls ?? []).map((call) => ({
      id: call.id,
      name: call.function.name,
      args: tryParseJson(call.function.arguments),
    })),
    inputTokens: data.usage?.prompt_tokens ?? 0,
    outputTokens: data.usage?.completion_tokens ?? 0,
  }
}

const buildBody = (model: string, { system, messages, tools }: ModelRequest) => ({
  model,
  messages: [{ role: 'system', content: system }, ...messages.flatMap(formatMessage)],
  tools: tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  })),
  max_tokens: MAX_MODEL_TOKENS_PER_CALL,
})

function formatMessage(chat: ChatMessage): object[] {
  if (chat.role === 'user') return [{ role: 'user', content: chat.text }]
  if (chat.role === 'results')
    return chat.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))
  const calls = chat.calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args ?? {}) },
  }))
  return [{ role: 'assistant', content: chat.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }]
}
