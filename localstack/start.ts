/** `npm start`: the embedded cloud with Wharf, seeded, until it is interrupted. */
import { run } from './run.ts'

const { local, cloud } = await run({ keepRunning: true })
const development = local.environments.find(({ isProd }) => !isProd)!

console.log(`
Wharf is running.

  Application       ${new URL(local.baseUrl).origin}
  API               ${local.baseUrl}/v1
  Administrator     ${local.admin.email}
  Password          ${local.admin.password}
  Secret key        ${development.secretKey}      (${development.name})
  Publishable key   ${development.publishableKey}
  AWS endpoint      ${local.cloud}
  All of it         ${local.file}      (also the credentials of the AWS endpoint)

Try:

  curl -s ${local.baseUrl}/v1/spaces -H "Authorization: Bearer ${development.secretKey}"

Ctrl-C stops it; the data stays in ${local.dataDir}.
ready`)

await cloud.loaded
