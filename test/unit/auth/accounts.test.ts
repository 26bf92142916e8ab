import { beforeEach, describe, expect, it, vi } from 'vitest'
import { catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import { createScope } from '../../support/auth-items.ts'

const cloud = await startAuthCloud()
const secrets = await import('../../../lib/auth/secret-store.ts')
const here = await createScope()
beforeEach(() => cloud.reset())

describe('secret', () => {
  const createActor = () => ({ accountId: here.accountId, actorId: 'us_usr_x' })
  const writeSecret = (where: object, name: string, value: string) =>
    secrets.writeSecret(createActor(), where as never, name, value)

  it('is retried five times on conflicts, but not on other errors', async () => {
    const { environmentId } = await createScope({ accountId: here.accountId })
    const { documents } = await import('../../../lib/table/client.ts')
    const send = documents.send.bind(documents)
    const mockFailure = (error: Error) => {
      let tries = 0
      const spy = vi.spyOn(documents, 'send').mockImplementation(((command: { constructor: { name: string } }) => {
        if (command.constructor.name !== 'TransactWriteCommand') return send(command as never)
        tries++
        return Promise.reject(error)
      }) as never)
      return { spy, tries: () => tries }
    }
    const lost = Object.assign(new Error('lost'), {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    })
    const contended = mockFailure(lost)
    expect(await catchProblem(() => writeSecret({ environmentId }, 'RACE', 'x'))).toMatch(
      /^409 conflict: The resource was changed concurrently/,
    )
    expect(contended.tries()).toBe(5)
    contended.spy.mockRestore()
    const broken = mockFailure(new Error('no table'))
    await expect(writeSecret({ environmentId }, 'RACE', 'x')).rejects.toThrow('no table')
    expect(broken.tries()).toBe(1)
    broken.spy.mockRestore()
  })
})
