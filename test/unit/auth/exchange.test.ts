import { afterEach, describe, expect, it, vi } from 'vitest'
import { catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import { buildRoleAssignment, configureSignOn, createScope, createUser, newIdSuffix } from '../../support/auth-items.ts'

const PASSWORD = 'a password of some length'

const cloud = await startAuthCloud()
const x = await import('../../../lib/auth/exchange.ts')
const here = await createScope()
const someone = await createUser(here.accountId, [buildRoleAssignment('administrator')], { password: PASSWORD })
afterEach(() => void vi.useRealTimers())

const INVALID =
  '401 unauthenticated: These credentials are not valid. If your account uses single sign-on, sign in there.'
let places = 0
const signIn = (email: string, password: string, from = `192.0.2.${++places}`) =>
  x.issueAdministratorToken({ email, password }, from)

describe('email address used in several accounts', () => {
  const OTHER = 'another password of some length'
  const createTwoUsers = async (password: string) => {
    const [here, there] = [await createScope(), await createScope()]
    const one = await createUser(here.accountId, [buildRoleAssignment('administrator')], { password: PASSWORD })
    const other = await createUser(there.accountId, [buildRoleAssignment('administrator')], {
      email: one.email,
      password,
    })
    return { one, other, email: one.email }
  }

  it('costs the same reads for every address: unknown, one user, single sign-on, several users', async () => {
    const { email } = await createTwoUsers(OTHER)
    const own = await createScope()
    const signOn = await createUser(own.accountId, [], { password: PASSWORD })
    await configureSignOn(own.accountId)
    const countRequests = async (address: string) => {
      cloud.reset()
      expect(await catchProblem(() => signIn(address, 'wrong'))).toBe(INVALID)
      return [...cloud.requests].toSorted()
    }
    const ofNobody = await countRequests(`nobody-${newIdSuffix()}@example.com`)
    expect(ofNobody.filter((each) => each === 'Query' || each === 'BatchGetItem')).toEqual(['BatchGetItem', 'Query'])
    for (const address of [someone.email, signOn.email, email]) expect(await countRequests(address)).toEqual(ofNobody)
  })

  it('cannot be guessed by an attacker who also has a user with it', async () => {
    const { email } = await createTwoUsers(OTHER)
    const from = 'one place of somebody who guesses'
    for (let i = 0; i < 5; i++) {
      expect(await catchProblem(() => signIn(email, `wrong ${i}`, from))).toBe(INVALID)
      if (i < 4) await signIn(email, OTHER, from)
    }
    expect(await catchProblem(() => signIn(email, 'wrong', from))).toMatch(/^429/)
  })
})
