/** The account of a test file and its callers: `beforeAll(createFreshAccount)`, or `createFreshSpace` with a space. */
import { createCaller, createDataCaller, createTestAccount, getAccessToken, type TestAccount } from './api.ts'

export type Caller = ReturnType<typeof createCaller>

export let account: TestAccount
export let environmentId: string
export let call: Caller
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
  spaceId = (await must('POST', '/spaces', { environmentId, name: 'Space', ...space })).id
}

export const anybody = createCaller(undefined)
export const signIn = async ({ email, password }: { email: string; password: string }): Promise<Caller> =>
  createCaller(await getAccessToken({ email, password }))
export const admin: Caller = async (...request) => {
  session ??= signIn(account)
  return (await session)(...request)
}

export const must = createDataCaller(() => call)
export const mustAsAdmin = createDataCaller(() => admin)
