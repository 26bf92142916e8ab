/** Which network an address belongs to. */
import ipaddr from 'ipaddr.js'

/** Of the eight 16-bit parts of an IPv6 address: the customer chooses the others freely. */
const IPV6_NETWORK_PARTS = 4

/** What requests and attempts are counted under: an IPv4 address as it is, an IPv6 address by its network of 64 bits. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.map((part, index) => (index < IPV6_NETWORK_PARTS ? part : 0))
  return `${new ipaddr.IPv6(network).toString()}/64`
}
