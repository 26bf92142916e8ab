/** The process `recordCloudApart` starts: the record engine's cloud, until its parent lets go of it. */
import { serve } from './records.ts'

const { endpoint, close } = await serve()
process.on('disconnect', () => void close())
process.send?.(endpoint)
