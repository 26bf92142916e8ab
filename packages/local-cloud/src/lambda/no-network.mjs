/** Disables networking in this process, as a second line of defense for Node before 25. */
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

function throwNoNetwork() {
  throw new Error('This function has no network.')
}

const disable = (object, names) => {
  for (const name of names)
    Object.defineProperty(object, name, { value: throwNoNetwork, writable: false, configurable: false })
}
const getFunctionNames = (object) => Object.keys(object).filter((name) => typeof object[name] === 'function')
const getMethodNames = ({ prototype }) => Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')

disable(globalThis, ['fetch', 'WebSocket', 'EventSource'])
disable(net.Socket.prototype, ['connect'])
disable(net.Server.prototype, ['listen'])
disable(dgram.Socket.prototype, ['bind', 'connect', 'send'])
for (const api of [dns, dns.promises]) {
  for (const name of getMethodNames(api.Resolver).filter((method) => /^(resolve|reverse)/.test(method)))
    disable(api.Resolver.prototype, [name])
  disable(
    api,
    getFunctionNames(api).filter((name) => /^(lookup|resolve|reverse)/.test(name)),
  )
}
