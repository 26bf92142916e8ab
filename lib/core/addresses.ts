/** Which addresses a request that somebody else chose may go to: public ones, never what only this machine or its network sees. */
import ipaddr from 'ipaddr.js'

/** Public addresses that answer machines of a cloud alone: Azure's host agent. */
const REFUSED_PUBLIC = new Set(['168.63.129.16'])
/** What IANA has given out of IPv6 for global unicast; the rest of the space is no place of the internet. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/** An address in four parts stands for itself also where it is written as IPv6. */
const plain = (address: string) => ipaddr.process(address.replace(/^\[|\]$|%.*$/g, ''))

/** Is it a literal address, in the brackets of a URL or without? */
export const isAddress = (host: string): boolean => ipaddr.isValid(host.replace(/^\[|\]$/g, ''))

/** This machine itself: 127.0.0.0/8 or ::1. */
export const isLoopback = (address: string): boolean => plain(address).range() === 'loopback'

/** Is it one host on the internet? Private, link-local, shared, reserved, multicast and translated addresses are not. */
export function isPublic(address: string): boolean {
  const parsed = plain(address)
  if (parsed.range() !== 'unicast' || REFUSED_PUBLIC.has(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST)
}
