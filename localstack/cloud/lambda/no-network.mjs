/**
 * Takes the network away from this process, as far as Node before 25 allows (later its permissions do): nothing connects, listens
 * or looks up a name. For functions that run customers' code inside an engine without any of this; a second wall.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

function refuse() {
  throw new Error('This function has no network.')
}

const take = (object, names) => {
  for (const name of names) Object.defineProperty(object, name, { value: refuse, writable: false, configurable: false })
}
const functionsOf = (object) => Object.keys(object).filter((name) => typeof object[name] === 'function')
const methodsOf = ({ prototype }) => Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')

take(globalThis, ['fetch', 'WebSocket', 'EventSource'])
take(net.Socket.prototype, ['connect'])
take(net.Server.prototype, ['listen'])
take(dgram.Socket.prototype, ['bind', 'connect', 'send'])
for (const api of [dns, dns.promises]) {
  for (const name of methodsOf(api.Resolver).filter((each) => /^(resolve|reverse)/.test(each)))
    take(api.Resolver.prototype, [name])
  take(
    api,
    functionsOf(api).filter((name) => /^(lookup|resolve|reverse)/.test(name)),
  )
}
