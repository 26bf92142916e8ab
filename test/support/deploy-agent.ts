/** Runs in its own process: deploys an agent, like the API. Arguments: account, environment, slug, topic, source. */
import { deployAgent } from '../../lib/agents/deploy.ts'
import { begin } from '../../lib/tx.ts'
import { AgentConfig } from '../../schemas/agents/shape.ts'

const [accountId, environmentId, slug, topic, source] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const tx = begin({ accountId, actorId: accountId })
const config = AgentConfig.parse({ slug, topics: [topic], source })
const agent = await deployAgent(tx, { accountId, environmentId }, config, { source })
process.stdout.write(agent.id)
