/** A platform for one test worker, started by platforms.ts in its own process; runs until its parent disconnects. */
import { CLOUD_OPTIONS } from '../../localstack/cloud-options.ts'
import { createLazyBuild } from '../../localstack/web-build.ts'
import { startCloud } from '../../packages/local-cloud/src/server.ts'
import { bypassSockets } from './without-sockets.ts'

const [dataDir, served] = process.argv.slice(2) as [string, string?]
const web = served === 'web' && { web: createLazyBuild() }
const cloud = await startCloud({ ...CLOUD_OPTIONS, ...web, dataDir, cloudPort: 0, apiPort: 0 })
process.on('disconnect', () => void cloud.close().then(() => process.exit()))
await cloud.loaded
const { dynamo } = await import('../../lib/table/client.ts')
bypassSockets(dynamo, cloud.serve)
process.send!({ baseUrl: `${cloud.apiUrl}/api`, cloud: cloud.endpoint, environment: cloud.environment, dataDir })
