import { createCaller, getAccessToken, getData } from './api.ts'
import { admin, anybody, type Caller, call, environmentId, must, spaceId } from './fresh-account.ts'
import { createUniqueName } from './unique-name.ts'

export const newEmail = (): string => `${createUniqueName('test')}@example.com`

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
export async function createUser(actorRoles?: object[], by = admin) {
  const email = newEmail()
  const user = await must('POST', '/users/invite', { email, name: 'Grace', actorRoles }, by)
  await acceptInvitation(email, by)
  const token = await getAccessToken({ email, password: PASSWORD })
  return { user, email, token, call: createCaller(token) }
}
