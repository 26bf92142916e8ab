/**
 * The account of a test file, its callers, and what most tests create. A file starts with `beforeAll(createFreshAccount)`
 * or `beforeAll(() => createFreshSpace({ name: 'Files' }))`.
 */
import { expect } from 'vitest'
import {
  type ApiResponse,
  createCaller,
  createDataCaller,
  createTestAccount,
  getData,
  type SeenEvent,
  type TestAccount,
  waitUntil,
} from './api.ts'

export type Caller = ReturnType<typeof createCaller>

export let account: TestAccount
export let environmentId: string
/** Calls with the secret key of the first environment. */
export let call: Caller
/** The space of `createFreshSpace`. */
export let spaceId: string
let session: Promise<Caller> | undefined

export async function createFreshAccount(): Promise<void> {
  account = await createTestAccount()
  environmentId = account.environmentId
  call = createCaller(account.secretKey)
  session = undefined
}

export async function createFreshSpace(space: object = {}): Promise<void> {
  await createFreshAccount()
  spaceId = (await createSpace(space)).id
}

export const anybody = createCaller(undefined)
export const signIn = async ({ email, password }: { email: string; password: string }): Promise<Caller> =>
  createCaller((await anybody('POST', '/auth', { email, password })).body.accessToken)
/** Calls with a session of the administrator, who signs in with the first call. */
export const admin: Caller = async (...request) => {
  session ??= signIn(account)
  return (await session)(...request)
}
/** Calls with the secret key of another account. */
export const createStranger = async (): Promise<Caller> => createCaller((await createTestAccount()).secretKey)

export const must = createDataCaller(() => call)
export const mustAsAdmin = createDataCaller(() => admin)

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
export const pluck = (list: any[], key: string): any[] => list.map((one) => one[key])
export const statusOf = async (response: Promise<ApiResponse>): Promise<number> => (await response).status

let count = 0
export const newEmail = (): string => `test-${process.pid}-${Date.now()}-${count++}@example.com`

export const createSpace = (more: object = {}, by = call) =>
  must('POST', '/spaces', { environmentId, name: 'Space', ...more }, by)

export interface TestSheet {
  spaceId: string
  workbookId: string
  sheetId: string
}

interface SheetOptions {
  space?: string
  sheet?: object
  workbook?: object
  by?: Caller
}

/** Creates a workbook with one sheet, in a new space where there is none. */
export async function createSheet(
  fields: object[] = [{ key: 'a', type: 'string' }],
  { space, sheet, workbook, by = call }: SheetOptions = {},
): Promise<TestSheet> {
  const inSpace = space ?? spaceId ?? (await createSpace({}, by)).id
  const sheets = [{ name: 'Sheet', slug: 'sheet', fields, ...sheet }]
  const { id, sheets: made } = await must(
    'POST',
    '/workbooks',
    { spaceId: inSpace, name: 'Book', sheets, ...workbook },
    by,
  )
  return { spaceId: inSpace, workbookId: id, sheetId: made[0].id }
}

export const readRecords = async (sheetId: string, query = '', by = call) =>
  (await must('GET', `/sheets/${sheetId}/records?${query}`, undefined, by)).records
export const readColumn = async (sheetId: string, key: string, query = ''): Promise<unknown[]> =>
  (await readRecords(sheetId, query)).map(
    ({ values }: { values: Record<string, { value: unknown }> }) => values[key]!.value,
  )

export const createGuest = async (spaces: object[], more: object = {}, by = call) =>
  (await must('POST', '/guests', { environmentId, email: newEmail(), name: 'Guest', spaces, ...more }, by))[0]
export const createGuestCaller = async (...spaces: object[]): Promise<Caller> => {
  const { id } = await createGuest(spaces)
  return createCaller((await must('GET', `/guests/${id}/token`)).token)
}

export const findMail = async (email: string, by = admin) =>
  (await must('GET', '/invitations?pageSize=1000', undefined, by)).find(({ to }: { to: string }) => to === email)
export const parseToken = (text: string): string => /#token=(\S+)/.exec(text)![1]!

export const PASSWORD = 'a password of some length'
export async function acceptInvitation(email: string, by = admin, password = PASSWORD): Promise<void> {
  const token = parseToken((await findMail(email, by)).text)
  await getData(anybody('POST', '/users/accept-invite', { token, password }))
}
/** Creates a user who has accepted the invitation and signed in. */
export async function createUser(actorRoles?: object[], by = admin) {
  const email = newEmail()
  const user = await must('POST', '/users/invite', { email, name: 'Grace', actorRoles }, by)
  await acceptInvitation(email, by)
  const token = (await anybody('POST', '/auth', { email, password: PASSWORD })).body.accessToken as string
  return { user, email, token, call: createCaller(token) }
}

/** Lists the events that a query of the list finds, and whose context has these values. */
export const findEvents = async <E = SeenEvent>(query: string, context: object = {}, by = call): Promise<E[]> =>
  (await must('GET', `/events?${query}&includeAcknowledged=true&pageSize=1000`, undefined, by)).filter(
    (event: SeenEvent) => Object.entries(context).every(([key, value]) => event.context[key] === value),
  )
export const emitEvent = (topic: string, context: object = {}, payload: object = {}, by = call) =>
  must('POST', '/events', { topic, domain: 'custom', context: { environmentId, ...context }, payload }, by)

/** Deploys an agent and returns it. */
export const deployAgent = (slug: string, topics: string[], source: string, more: object = {}, by = call) =>
  must('POST', `/agents?environmentId=${environmentId}`, { slug, topics, source, ...more }, by)
/** Waits for an agent's run for an event to end. */
export const waitForRun = (agentId: string, eventId: string, seconds = 30, by = call) =>
  waitUntil(async () => {
    const runs = await must('GET', `/agents/${agentId}/logs?pageSize=100`, undefined, by)
    return runs.find((run: { eventId: string; status: string }) => run.eventId === eventId && run.status !== 'running')
  }, seconds)
export const IDLE_AGENT = 'module.exports = { routeEvent: async () => {} }'

export const waitForJob = (jobId: string, by = call, seconds = 60) =>
  waitUntil(async () => {
    const job = await must('GET', `/jobs/${jobId}`, undefined, by)
    return ['completed', 'failed', 'canceled'].includes(job.status) && job
  }, seconds)
export const runJob = async (body: object) =>
  waitForJob((await must('POST', '/jobs', { trigger: 'immediate', ...body })).id)

/** Waits for the last of so many jobs about a file to end. */
export const waitForFileJob = (fileId: string, jobs = 1) =>
  waitUntil(async () => {
    const all = await must('GET', `/jobs?fileId=${fileId}`)
    return all.length === jobs && ['completed', 'failed'].includes(all[0].status) && all[0]
  }, 30)

export const expectStatus = async (status: number, ...responses: Promise<ApiResponse>[]): Promise<void> =>
  expect((await Promise.all(responses)).map((response) => response.status)).toEqual(responses.map(() => status))
