/** Addresses a browser may fetch with its token because an outcome names them. Imports nothing: the application uses it too. */

const BASE = 'https://platform.invalid'
const DOWNLOAD = /^\/v1\/(files\/us_fl|sheets\/us_sh|agent-exports\/us_[a-z]+)_[0-9A-Za-z]+\/download$/

/** The path below `/api`, with its query, when the address is a download of this platform; undefined for every other address. */
export function ownDownload(address: string): string | undefined {
  if (!URL.canParse(address, BASE)) return undefined
  const { origin, pathname, search, username } = new URL(address, BASE)
  return origin === BASE && username === '' && DOWNLOAD.test(pathname) ? pathname + search : undefined
}

/** A full address of the web, which a person may follow as a link. */
export const isWebAddress = (address: string): boolean =>
  URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol)

/** A path of the platform's own pages. `//host` and `\\\\host` are other hosts to a browser. */
export const isOwnPath = (address: string): boolean =>
  address.startsWith('/') && URL.canParse(address, BASE) && new URL(address, BASE).origin === BASE
