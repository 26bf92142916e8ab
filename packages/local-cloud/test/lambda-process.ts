import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startEventbridge } from '../src/eventbridge/index.ts'
import { startLambda } from '../src/lambda/index.ts'

const { DATA_DIR: dataDir = '', NOTES = '', MODE } = process.env
const functions = await startLambda({ dataDir, retryDelaySeconds: [0.05, 0.05] })
const events = await startEventbridge({ dataDir, lambda: functions })
const note = (text: string) => appendFileSync(NOTES, `${text}\n`)

functions.registerPlatformFunction('worker', async (event) => {
  const { key } = (event as { detail: { key: string } }).detail
  if (MODE === 'hang') await new Promise(() => {})
  if (MODE === 'die') {
    await new Promise((resolve) => setTimeout(resolve, key === '0' ? 50 : 100))
    if (key === '0') process.kill(process.pid, 'SIGKILL')
  }
  note(key)
})
functions.registerPlatformFunction('witness', async (record) =>
  note((record as { requestContext: { condition: string } }).requestContext.condition),
)
functions.start()
if (MODE === 'alone') console.log((await functions.invoke('agent', {})).payload)
else {
  const server = createServer((req, res) => void (req.headers['x-amz-target'] ? events : functions).handle(req, res))
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
}
