/** The process started by `startRecordWorkers`: executes the writes of its parent and reports each one. */
import * as engine from '../../lib/records/index.ts'
import { type Command, performWrite } from './record-writes.ts'

const store = engine.createStore(JSON.parse(process.argv[2]!))

process.on('message', async (command: Command) => {
  process.send?.(await performWrite(engine, command, store))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
