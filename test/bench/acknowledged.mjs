/** Loaded before the platform: writes down when DynamoDB acknowledged each change of an item, by the file `ACKNOWLEDGED`. */
import './loader.mjs'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

const { ACKNOWLEDGED } = process.env

subscribe('http.client.response.finish', ({ request, response }) => {
  // One that was refused on its condition is made again.
  if (request.getHeader('x-amz-target') !== 'DynamoDB_20120810.UpdateItem' || response.statusCode !== 200) return
  appendFileSync(ACKNOWLEDGED, `${performance.timeOrigin + performance.now()}\n`)
})
