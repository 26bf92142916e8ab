import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  type ContentBlock,
  ConverseCommand,
  type ConverseCommandInput,
  type Message,
} from '@aws-sdk/client-bedrock-runtime'
import { message } from '../../../schemas/messages/index.ts'
import { MAX_MODEL_TOKENS_PER_CALL } from '../../../schemas/threads/assistant.ts'
import { createClient } from '../../core/aws-client.ts'
import { type ChatMessage, type Model, ModelError, type ModelRequest } from './model.ts'

const bedrock = createClient(BedrockRuntimeClient)

const CONNECTION_ERRORS = ['TimeoutError', 'CredentialsProviderError']

type Json = NonNullable<ContentBlock.ToolUseMember['toolUse']['input']>

export const createBedrockModel =
  (model: string): Model =>
  async (request) => {
    const { output, usage } = await converse(model, request)
    const blocks = output?.message?.content
    if (!blocks) throw new ModelError(message('assistant.modelUnclear'))
    return {
      text: blocks.flatMap(({ text }) => text ?? []).join('\n'),
      calls: blocks.flatMap(({ toolUse }) =>
        toolUse?.toolUseId && toolUse.name ? [{ id: toolUse.toolUseId, name: toolUse.name, args: toolUse.input }] : [],
      ),
      inputTokens: usage?.inputTokens ?? 0,
      outputTokens: usage?.outputTokens ?? 0,
    }
  }

async function converse(model: string, request: ModelRequest) {
  const signal = AbortSignal.timeout(request.timeoutMs)
  try {
    return await bedrock.send(new ConverseCommand(buildInput(model, request)), { abortSignal: signal })
  } catch (error) {
    if (signal.aborted)
      throw new ModelError(message('assistant.outOfTime', { count: request.timeoutMs / 1000 }), { cause: error })
    if (!(error instanceof BedrockRuntimeServiceException)) throw describeFailure(error as SdkError)
    const status = String(error.$metadata.httpStatusCode ?? error.name)
    throw new ModelError(message('assistant.modelStatus', { status }), { cause: error })
  }
}

type SdkError = Error & { code?: string }

function describeFailure(error: SdkError): Error {
  const isUnreachable = error.code !== undefined || CONNECTION_ERRORS.includes(error.name)
  if (!isUnreachable) return error
  const reason = message('requests.requestFailed', { reason: error.code ?? error.name })
  return new ModelError(message('assistant.modelFailed', { reason }), { cause: error })
}

const buildInput = (model: string, { system, messages, tools }: ModelRequest): ConverseCommandInput => ({
  modelId: model,
  system: [{ text: system }],
  messages: messages.map(formatMessage),
  toolConfig: {
    tools: tools.map(({ name, description, inputSchema }) => ({
      toolSpec: { name, description, inputSchema: { json: inputSchema as Json } },
    })),
  },
  inferenceConfig: { maxTokens: MAX_MODEL_TOKENS_PER_CALL },
})

function formatMessage(chat: ChatMessage): Message {
  if (chat.role === 'user') return { role: 'user', content: [{ text: chat.text }] }
  if (chat.role === 'results')
    return {
      role: 'user',
      content: chat.results.map(({ id, text, isError }) => ({
        toolResult: { toolUseId: id, content: [{ text }], status: isError ? 'error' : 'success' },
      })),
    }
  const calls = chat.calls.map(({ id, name, args }) => ({
    toolUse: { toolUseId: id, name, input: (args ?? {}) as Json },
  }))
  // Bedrock refuses empty texts.
  return { role: 'assistant', content: [...(chat.text === '' ? [] : [{ text: chat.text }]), ...calls] }
}
