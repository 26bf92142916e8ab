import { Wharf } from '../../sdk/src/index.ts'

export interface Connection {
  apiUrl: string
  token: string
  wharf: Wharf
}

const readVariable = (...names: string[]): string | undefined =>
  names.map((name) => globalThis.process?.env[name]).find((value) => value)

export function connect(given: { apiUrl?: string | undefined; accessToken?: string | undefined }): Connection {
  const url = given.apiUrl ?? readVariable('AGENT_INTERNAL_URL', 'FLATFILE_API_URL', 'WHARF_URL')
  const token = given.accessToken ?? readVariable('FLATFILE_BEARER_TOKEN', 'FLATFILE_API_KEY', 'WHARF_TOKEN')
  if (!url || !token) throw new Error('Set WHARF_URL and WHARF_TOKEN: the listener does not know the platform.')
  const origin = url.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '')
  return { apiUrl: `${origin}/api/`, token, wharf: new Wharf({ baseUrl: origin, token }) }
}
