import { buildPageLink } from '../auth/links.ts'
import { env } from '../core/env.ts'

export const getMcpAddress = (): string => `${env().BASE_URL}/v1/mcp`
export const getIssuer = (): string => new URL(env().BASE_URL).origin
export const getResourceMetadataAddress = (): string => `${getIssuer()}/.well-known/oauth-protected-resource/api/v1/mcp`
export const getConsentPage = (): string => buildPageLink('connect')

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const isLoopback = (url: URL): boolean => url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname)

/** A browser would run or show these itself instead of handing them to an application. */
const BROWSER_SCHEMES = ['javascript:', 'data:', 'file:', 'blob:', 'about:', 'vbscript:', 'filesystem:', 'view-source:']

export function isRedirectAllowed(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false
  const url = new URL(text)
  if (url.username || url.password) return false
  if (url.protocol === 'http:') return isLoopback(url)
  return !BROWSER_SCHEMES.includes(url.protocol)
}

/** Applications choose a free port for each sign-in (RFC 8252). */
export function matchesRedirect(registered: string, requested: string): boolean {
  if (registered === requested) return true
  const [a, b] = [new URL(registered), new URL(requested)]
  return (
    isLoopback(a) && isLoopback(b) && a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search
  )
}
