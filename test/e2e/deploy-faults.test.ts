/** A deployment killed at any of its requests leaves no orphaned function, and repeating it completes it. */
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda'
import { beforeAll, expect, it } from 'vitest'
import { emitEvent, waitForRun } from '../support/activity.ts'
import { getServer } from '../support/api.ts'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { type ProcessResult, runWithKill } from '../support/killed-process.ts'
import { IS_LONG_RUN } from '../support/runs.ts'

const SOURCE = `exports.routeEvent = (event) => console.log('heard', event.id)`

let lambda: LambdaClient

beforeAll(async () => {
  await createFreshAccount()
  lambda = new LambdaClient({ endpoint: getServer().cloud, region: 'us-east-1' })
})

const deployAndDie = (slug: string, fatal?: number): Promise<ProcessResult> =>
  runWithKill(
    'deploy-agent.ts',
    [account.accountId, account.environmentId, slug, `${slug}:now`, SOURCE],
    (_, number) => (number === fatal ? (number % 2 ? 'before' : 'after') : undefined),
  )

interface Agent {
  id: string
  slug: string
  status: string
}
const agents = async (): Promise<Agent[]> => await must('GET', `/agents?environmentId=${account.environmentId}`)

async function functionsOfEnvironment(): Promise<string[]> {
  const found: string[] = []
  for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
    for (const { FunctionName, Environment } of Functions) {
      const own = Environment?.Variables?.FLATFILE_ENVIRONMENT_ID === account.environmentId
      if (own) found.push(FunctionName!.slice(getServer().environment.FUNCTION_PREFIX!.length))
    }
  }
  return found
}

it.runIf(IS_LONG_RUN)(
  'a deployment killed at any of its requests leaves no orphaned function',
  { timeout: 120_000 },
  async () => {
    const { requests, killed } = await deployAndDie('unharmed')
    expect(killed).toBe(false)
    expect(requests).toBeGreaterThan(8)
    for (let fatal = 1; fatal <= requests; fatal++) {
      const slug = `faulty-${fatal}`
      expect((await deployAndDie(slug, fatal)).killed, `request ${fatal}`).toBe(true)
      const known = new Set((await agents()).map(({ id }) => id))
      for (const id of await functionsOfEnvironment()) expect(known, `after request ${fatal}`).toContain(id)

      const body = { slug, topics: [`${slug}:now`], source: SOURCE }
      expect((await call('POST', `/agents?environmentId=${account.environmentId}`, body)).status).toBe(200)
      const [agent, ...others] = (await agents()).filter((each) => each.slug === slug)
      expect(others).toEqual([])
      expect(agent!.status).toBe('active')
      const { id } = await emitEvent(`${slug}:now`)
      const { log, success } = await waitForRun(agent!.id, id)
      expect(success).toBe(true)
      expect(log).toContain(`heard ${id}`)
    }
  },
)
