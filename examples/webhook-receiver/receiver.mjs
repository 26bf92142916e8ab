/** Receives webhooks with nothing but Node: verifies each signature, handles each event once, and lets failures be retried. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const { WEBHOOK_SECRET = '', PORT = '4020', HANDLED_FILE = 'handled-events.txt' } = process.env
const TOLERANCE_SECONDS = 5 * 60
const MAX_BYTES = 1_000_000

/** Standard Webhooks: the signature covers id, time and the unchanged bytes of the body. */
function isSigned({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures }, body) {
  if (!id || !signatures || !(Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE_SECONDS)) return false
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest()
  // While a secret is rotated, there is a signature for each of the two.
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const handledIds = new Set(existsSync(HANDLED_FILE) ? readFileSync(HANDLED_FILE, 'utf8').split('\n') : [])
const runningIds = new Set()

/** Your code. If it throws, the platform sends the event again. */
async function handleEvent({ topic, context }) {
  console.log(`${topic} ${context?.spaceId ?? ''}`)
}

/** An event can arrive twice, also while its first delivery is still handled. */
async function handleOnce(id, body) {
  if (handledIds.has(id)) return 200
  if (runningIds.has(id)) return 409
  runningIds.add(id)
  try {
    await handleEvent(JSON.parse(body))
    appendFileSync(HANDLED_FILE, `${id}\n`, { flush: true })
    handledIds.add(id)
    return 200
  } catch (error) {
    console.error(`${id} failed: ${error.message}`)
    return 500
  } finally {
    runningIds.delete(id)
  }
}

async function receive(request) {
  if (request.method !== 'POST') return 405
  if (!(Number(request.headers['content-length']) <= MAX_BYTES)) return 413
  const body = await buffer(request)
  if (!isSigned(request.headers, body)) return 401
  return handleOnce(request.headers['webhook-id'], body)
}

if (!WEBHOOK_SECRET) throw new Error('Set WEBHOOK_SECRET to the secret that creating the webhook has returned.')
createServer(async (request, response) => {
  const status = await receive(request).catch(() => 400)
  response.writeHead(status).end()
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on port ${PORT}`))
