/** Appends the time of each acknowledged DynamoDB update to the file ACKNOWLEDGED. Loaded before the platform. */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

const { ACKNOWLEDGED } = process.env

subscribe('http.client.response.finish', ({ request, response }) => {
  if (request.getHeader('x-amz-target') !== 'DynamoDB_20120810.UpdateItem' || response.statusCode !== 200) return
  appendFileSync(ACKNOWLEDGED, `${performance.timeOrigin + performance.now()}\n`)
})
