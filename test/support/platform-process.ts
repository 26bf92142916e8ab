/** A platform for one test worker, started by platforms.ts in its own process; runs until its parent disconnects. */
import { CLOUD_OPTIONS } from '../../localstack/cloud-options.ts'
import { startCloud } from '../../packages/local-cloud/src/server.ts'

const dataDir = process.argv[2]!
const cloud = await startCloud({ ...CLOUD_OPTIONS, dataDir, cloudPort: 0, apiPort: 0 })
process.on('disconnect', () => void cloud.close().then(() => process.exit()))
await cloud.loaded
process.send!({ baseUrl: `${cloud.apiUrl}/api`, cloud: cloud.endpoint, environment: cloud.environment, dataDir })
