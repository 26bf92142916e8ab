/** Groups IP addresses by network for rate limits. */
import ipaddr from 'ipaddr.js'

const IPV6_NETWORK_PARTS = 4

/** IPv4 addresses unchanged, IPv6 addresses by their /64 network. */
export function getNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.map((part, index) => (index < IPV6_NETWORK_PARTS ? part : 0))
  return `${new ipaddr.IPv6(network).toString()}/64`
}
