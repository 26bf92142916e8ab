import type { Problem } from '../../schemas/kit/error-codes.ts'
import { message } from '../../schemas/messages/index.ts'
import {
  type AssistantConfig,
  type AssistantSettings,
  DEFAULT_MESSAGES_PER_DAY,
} from '../../schemas/threads/assistant.ts'
import { decryptForEnvironment, encryptForEnvironment } from '../auth/envelope-encryption.ts'
import { env } from '../core/env.ts'
import { conflict, invalid } from '../core/errors.ts'
import { findUrlProblem } from '../core/safe-fetch.ts'
import { Assistants, type NewAssistant, type StoredAssistant } from '../entities/assistant.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import type { Tx } from '../tx.ts'
import type { Model } from './models/model.ts'

export function serializeAssistant(environmentId: string, stored: NewAssistant | undefined): AssistantSettings {
  const bedrockModels = env().BEDROCK_MODELS
  if (!stored)
    return {
      ...{ environmentId, enabled: false, hasApiKey: false, bedrockModels },
      ...{ sampleRecords: 0, messagesPerDay: DEFAULT_MESSAGES_PER_DAY },
    }
  const { accountId: _, sealedKey, ...settings } = stored
  return { ...settings, enabled: true, hasApiKey: sealedKey !== undefined, bedrockModels }
}

/** @throws 409 if the environment has no assistant */
export function assertConfigured(stored: StoredAssistant | undefined): StoredAssistant {
  if (!stored) throw conflict(message('assistant.notConfigured'))
  return stored
}

export async function configureAssistant(
  tx: Tx,
  { id: environmentId, accountId }: StoredEnvironment,
  { apiKey, environmentId: _, ...config }: AssistantConfig,
): Promise<NewAssistant> {
  const before = await Assistants.get(environmentId)
  const keepsKey = apiKey === undefined && before?.sealedKey !== undefined && config.provider === 'openai'
  const problems = findProblems({ apiKey, ...config })
  if (keepsKey && before.url !== config.url)
    problems.push({ key: 'apiKey', message: message('assistant.keyForAddress') })
  if (problems.length > 0) throw invalid(problems)
  const sealedKey = keepsKey
    ? before.sealedKey
    : apiKey
      ? await encryptForEnvironment(environmentId, apiKey, environmentId)
      : undefined
  const after: NewAssistant = {
    ...config,
    ...{ environmentId, accountId, updatedAt: tx.now },
    ...(sealedKey === undefined ? {} : { sealedKey }),
  }
  tx.write(before ? Assistants.replace(before, after) : Assistants.create(after))
  return after
}

function findProblems({ provider, url, apiKey, model }: Omit<AssistantConfig, 'environmentId'>): Problem[] {
  if (provider === 'openai') {
    const problem = url === undefined ? message('assistant.required', { provider }) : findUrlProblem(url)
    return problem ? [{ key: 'url', message: problem }] : []
  }
  const unused = Object.entries({ url, apiKey })
    .filter(([, value]) => value != null)
    .map(([key]) => ({ key, message: message('assistant.unused', { provider }) }))
  const models = env().BEDROCK_MODELS
  if (models.length === 0) return [...unused, { key: 'provider', message: message('assistant.noModels') }]
  if (models.includes(model)) return unused
  return [...unused, { key: 'model', message: message('assistant.modelNotAllowed', { models: models.join(', ') }) }]
}

/** @throws 409 for a model that the deployment no longer allows */
export async function loadModel({ environmentId, provider, model, url, sealedKey }: StoredAssistant): Promise<Model> {
  if (provider === 'bedrock') {
    if (!env().BEDROCK_MODELS.includes(model)) throw conflict(message('assistant.notConfigured'))
    const { createBedrockModel } = await import('./models/bedrock.ts')
    return createBedrockModel(model)
  }
  const { createOpenAiModel } = await import('./models/openai.ts')
  const apiKey = sealedKey && (await decryptForEnvironment(environmentId, sealedKey, environmentId))
  return createOpenAiModel({ url: url!, model, apiKey })
}
