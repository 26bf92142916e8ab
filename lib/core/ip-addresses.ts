/** Classifies IP addresses: requests to URLs chosen by users may go only to public ones. */
import ipaddr from 'ipaddr.js'

/** Public, but internal on Azure: the host agent. */
const INTERNAL_PUBLIC_ADDRESSES = new Set(['168.63.129.16'])
/** IANA assigns only this block for IPv6 global unicast. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/** Unwraps IPv4 addresses written as IPv6. */
const parseAddress = (address: string) => ipaddr.process(address.replace(/^\[|\]$|%.*$/g, ''))

export const isAddress = (host: string): boolean => ipaddr.isValid(host.replace(/^\[|\]$/g, ''))

export const isLoopback = (address: string): boolean => parseAddress(address).range() === 'loopback'

/** False for private, link-local, shared, reserved, multicast and translated addresses. */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address)
  if (parsed.range() !== 'unicast' || INTERNAL_PUBLIC_ADDRESSES.has(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST)
}
