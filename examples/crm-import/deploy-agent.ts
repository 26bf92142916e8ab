import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { wharf } from './workbook.ts'

const { data: environments } = await wharf.environments.list()
const environmentId = environments[0]!.id
for (const name of ['CRM_URL', 'CRM_TOKEN']) {
  const value = process.env[name]
  if (!value) throw new Error(`Set ${name} before you deploy the agent.`)
  await wharf.secrets.upsert({ environmentId, name, value })
}
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('agent.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  write: false,
})
const agent = await wharf.agents.create(
  { slug: 'crm', topics: ['job:ready'], compiler: 'js', source: outputFiles[0]!.text },
  { environmentId },
)
console.log(`The agent ${agent.slug} is deployed.`)
