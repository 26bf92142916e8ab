/** The process `recordWorkers` starts: writes what its parent tells it, and tells of each write once it is done. */
import * as engine from '../../lib/records/index.ts'
import { type Command, perform } from './record-writes.ts'

const store = engine.newStore(JSON.parse(process.argv[2]!))

process.on('message', async (command: Command) => {
  process.send?.(await perform(engine, command, store))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
