/** The process started by `startRecordCloudProcess`: serves the record engine's cloud until its parent disconnects. */
import { startServers } from './records.ts'

const { endpoint, close } = await startServers()
process.on('disconnect', () => void close())
process.send?.(endpoint)
