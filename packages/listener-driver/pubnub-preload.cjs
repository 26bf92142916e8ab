'use strict'
/**
 * Redirects programs that use the `pubnub` package, such as published listener drivers and the CLI, to this platform:
 *
 * FLATFILE_API_URL=http://127.0.0.1:3000/api NODE_OPTIONS="--require @wharf/listener-driver/pubnub-preload" flatfile
 * develop
 *
 * Also drops the `keep-alive` header of some SDK versions, which Node refuses to send.
 */
const Module = require('node:module')

const api = process.env.FLATFILE_API_URL ?? process.env.AGENT_INTERNAL_URL
const PUBNUB = /[\\/]pubnub[\\/]lib[\\/]node[\\/]index\.js$/

if (api && URL.canParse(api)) {
  const { host, protocol } = new URL(api)
  pointPubNubAt({ origin: host, ssl: protocol === 'https:' })
  dropKeepAlive()
}

function pointPubNubAt(server) {
  const load = Module._extensions['.js']
  Module._extensions['.js'] = function extension(module, filename) {
    load.call(this, module, filename)
    if (!PUBNUB.test(filename)) return
    const PubNub = module.exports
    module.exports = class extends PubNub {
      constructor(configuration) {
        super({ ...configuration, ...server })
      }
    }
  }
}

function dropKeepAlive() {
  const { fetch } = globalThis
  if (!fetch) return
  globalThis.fetch = function withoutKeepAlive(input, init) {
    if (!init?.headers) return fetch(input, init)
    const headers = Object.entries(
      init.headers instanceof Headers || Array.isArray(init.headers) ? Object.fromEntries(init.headers) : init.headers,
    ).filter(([name, value]) => name.toLowerCase() !== 'keep-alive' && value !== undefined)
    return fetch(input, { ...init, headers })
  }
}
