/** Writes the reply to a question: its message, its proposals and its audit entry, in the transaction that ends the job. */
import { message } from '../../schemas/messages/index.ts'
import { MAX_MESSAGES_READ } from '../../schemas/threads/assistant.ts'
import { decryptForEnvironment } from '../auth/envelope-encryption.ts'
import { loadPrincipal, type Principal, verifyBearer } from '../auth/principal.ts'
import { env } from '../core/env.ts'
import { ApiError, unprocessable } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { lazy } from '../core/lazy.ts'
import { log } from '../core/log.ts'
import { Assistants, Questions, type StoredAssistant, type StoredQuestion } from '../entities/assistant.ts'
import { AuditLog } from '../entities/audit.ts'
import { type NewProposal, Proposals } from '../entities/proposals.ts'
import { Messages, type NewMessage, type StoredMessage, type StoredThread, Threads } from '../entities/threads.ts'
import type { JobResult, Run } from '../jobs/operations/operation.ts'
import { type Api, createApi, RefusedError } from '../mcp/api.ts'
import type { Tx } from '../tx.ts'
import { setStatus } from './ask.ts'
import type { Draft } from './change.ts'
import { converse, type ModelUsage } from './converse.ts'
import { type ChatMessage, ModelError } from './models/model.ts'
import { assertConfigured, loadModel } from './settings.ts'
import type { ToolSession } from './tools/tool.ts'

interface Result {
  text: string
  problem: boolean
  drafts: Draft[]
  usage: ModelUsage
}

export async function reply(run: Run): Promise<JobResult> {
  const question = await Questions.get(run.job.id)
  const thread = question && (await Threads.get(question.threadId))
  if (!question || !thread) throw unprocessable(message('assistant.noReply'))
  const settings = await Assistants.get(thread.environmentId)
  const result = await findReply(run, question, thread, settings)
  const messageId = newId('message')
  const proposalIds = result.drafts.map(() => newId('proposal'))
  return {
    info: message('assistant.replied'),
    outcome: { acknowledge: false },
    result: { threadId: thread.id, messageId, proposals: proposalIds.length },
    async inTransaction(tx) {
      const current = await Threads.get(thread.id)
      if (!current) return
      const written = { ...result, messageId, proposalIds }
      tx.write(Questions.remove(question), Messages.create(buildMessage(tx, question, settings, written)))
      for (const [index, draft] of result.drafts.entries())
        tx.write(Proposals.create(buildProposal(tx, thread, messageId, proposalIds[index]!, draft)))
      setStatus(tx, current, { ...current, status: result.problem ? 'error' : 'ready' })
      audit(tx, question, settings, written)
    },
  }
}

/** Whatever goes wrong with the model becomes a reply that says so, without proposals. */
async function findReply(
  run: Run,
  question: StoredQuestion,
  thread: StoredThread,
  settings: StoredAssistant | undefined,
): Promise<Result> {
  const usage: ModelUsage = { modelCalls: 0, inputTokens: 0, outputTokens: 0 }
  const createdJobs: string[] = []
  const authorize = lazy(() => openAuthorization(question))
  try {
    const { session, ...conversation } = await startConversation(question, thread, settings, authorize, createdJobs)
    const text = await converse({ ...conversation, session, usage, assertHeld: () => run.assertHeld() })
    const used = session.drafts.map(({ jobId }) => jobId)
    await removeJobs(session.api, createdJobs, (id) => !used.includes(id))
    return { text, problem: false, drafts: session.drafts, usage }
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof ApiError || error instanceof RefusedError)) {
      await run.assertHeld()
      log.error('The assistant failed', { jobId: run.job.id, error: error as Error })
    }
    if (createdJobs.length > 0) await removeJobs(createApi(env().BASE_URL, await authorize()), createdJobs)
    const isExpected = error instanceof ModelError || error instanceof ApiError
    return { text: isExpected ? error.message : message('assistant.failed'), problem: true, drafts: [], usage }
  }
}

const openAuthorization = ({ environmentId, sealedAuthorization, jobId }: StoredQuestion): Promise<string> =>
  decryptForEnvironment(environmentId, sealedAuthorization, jobId)

async function loadCaller(authorization: string): Promise<Principal> {
  const bearer = await verifyBearer(authorization.replace(/^Bearer\s+/i, ''))
  const principal = bearer && (await loadPrincipal(bearer))
  if (!principal) throw new ModelError(message('assistant.accessEnded'))
  return principal
}

async function startConversation(
  question: StoredQuestion,
  thread: StoredThread,
  stored: StoredAssistant | undefined,
  authorize: () => Promise<string>,
  createdJobs: string[],
) {
  const authorization = await authorize()
  const principal = await loadCaller(authorization)
  const settings = assertConfigured(stored)
  const call = createApi(env().BASE_URL, authorization)
  const api: Api = async (request, key) => {
    const response = await call(request, key)
    if (request.method === 'POST' && request.path === '/jobs')
      createdJobs.push((response as { data: { id: string } }).data.id)
    return response as never
  }
  const session: ToolSession = {
    ...{ api, principal, thread, samplesLeft: settings.sampleRecords },
    ...{ fixes: new Map(), drafts: [] },
  }
  const messages = readHistory(await Messages.inThread(thread.id), question.messageId)
  return { session, model: await loadModel(settings), sampleRecords: settings.sampleRecords, messages }
}

const readText = ({ content }: StoredMessage): string => (typeof content.text === 'string' ? content.text : '')

/** Texts up to the question. Models expect the roles in turn, and a person first. */
function readHistory(all: StoredMessage[], questionId: string): ChatMessage[] {
  const end = all.findIndex(({ id }) => id === questionId)
  const history: ChatMessage[] = []
  for (const one of all.slice(Math.max(0, end + 1 - MAX_MESSAGES_READ), end + 1)) {
    const text = readText(one)
    const last = history.at(-1)
    if (text === '' || (one.role !== 'user' && one.role !== 'assistant')) continue
    if (last?.role === one.role) last.text += `\n\n${text}`
    else if (one.role === 'user') history.push({ role: 'user', text })
    else if (last) history.push({ role: 'assistant', text, calls: [] })
  }
  if (history.length === 0) throw new ModelError(message('assistant.noReply'))
  return history
}

async function removeJobs(api: Api, ids: readonly string[], isUnused: (id: string) => boolean = () => true) {
  for (const id of ids.filter(isUnused))
    await api({ method: 'DELETE', path: `/jobs/${id}` }).catch((error: unknown) =>
      log.warn('A mapping job of the assistant stays', { jobId: id, error: error as Error }),
    )
}

type Written = Result & { messageId: string; proposalIds: string[] }

const describeUse = (settings: StoredAssistant | undefined, { usage }: Result) => ({
  ...usage,
  ...(settings ? { provider: settings.provider, model: settings.model } : {}),
})

const buildMessage = (
  tx: Tx,
  question: StoredQuestion,
  settings: StoredAssistant | undefined,
  written: Written,
): NewMessage => ({
  ...{ id: written.messageId, threadId: question.threadId, role: 'assistant', content: { text: written.text } },
  parts: written.proposalIds.map((proposalId) => ({ type: 'proposal', proposalId })),
  metadata: {
    ...{ askedBy: tx.actor.actorId, messageId: question.messageId, jobId: question.jobId },
    ...describeUse(settings, written),
    ...(written.problem ? { problem: true } : {}),
  },
  ...{ createdAt: tx.now, updatedAt: tx.now },
})

const buildProposal = (
  tx: Tx,
  { id: threadId, accountId }: StoredThread,
  messageId: string,
  id: string,
  { change, ...draft }: Draft,
): NewProposal => ({
  ...draft,
  ...{ id, threadId, messageId, accountId, change: JSON.stringify(change) },
  ...{ status: 'open', createdAt: tx.now },
})

function audit(tx: Tx, question: StoredQuestion, settings: StoredAssistant | undefined, written: Written): void {
  const { threadId, jobId, role, address } = question
  AuditLog.add(tx, {
    ...{ action: 'threads.reply', role, address },
    resources: [threadId, question.messageId, written.messageId, jobId],
    after: { ...describeUse(settings, written), proposals: written.proposalIds.length, problem: written.problem },
  })
}
