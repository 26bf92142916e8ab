/** Checks the URLs in a job's outcome. Imports nothing, because the web app uses it too. */

const BASE = 'https://platform.invalid'
const DOWNLOAD = /^\/v1\/(files\/us_fl|sheets\/us_sh|agent-exports\/us_[a-z]+)_[0-9A-Za-z]+\/download$/

/** The path below `/api`, with its query, of a download of this platform; undefined for any other URL. */
export function parseOwnDownload(address: string): string | undefined {
  if (!URL.canParse(address, BASE)) return undefined
  const { origin, pathname, search, username } = new URL(address, BASE)
  return origin === BASE && username === '' && DOWNLOAD.test(pathname) ? pathname + search : undefined
}

export const isWebAddress = (address: string): boolean =>
  URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol)

/** True for paths of the web app. Browsers read `//host` and `\\\\host` as other hosts. */
export const isOwnPath = (address: string): boolean =>
  address.startsWith('/') && URL.canParse(address, BASE) && new URL(address, BASE).origin === BASE
