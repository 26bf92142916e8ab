/** Single sign-on end to end: a local OpenID provider and a browser that signs in there. */
import { type ChildProcess, spawn } from 'node:child_process'
import { getServer, waitUntil } from './api.ts'

export const CLIENT = { clientId: 'wharf', clientSecret: 'a secret of the provider' }

export interface IdentityProvider {
  issuer: string
  stop(): void
}

export async function startProvider(): Promise<IdentityProvider> {
  const callback = `${getServer().baseUrl}/v1/auth/sso/callback`
  const child: ChildProcess = spawn(process.execPath, ['test/support/openid-provider.mjs', callback], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout!.on('data', (chunk) => (text += chunk))
  const issuer = await waitUntil(async () => /http:\/\/127\S+/.exec(text)?.[0], 30)
  return { issuer, stop: () => void child.kill('SIGKILL') }
}

export function createBrowser() {
  const jar = new Map<string, Map<string, string>>()
  const getCookies = (url: string) => {
    const { host } = new URL(url)
    if (!jar.has(host)) jar.set(host, new Map())
    return jar.get(host)!
  }
  return {
    jar: getCookies,
    async go(
      url: string,
      form?: Record<string, string>,
    ): Promise<{ status: number; url: string; text: string; location?: string }> {
      const cookies = [...getCookies(url)].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, {
        redirect: 'manual',
        headers: cookies ? { cookie: cookies } : {},
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
        if (value) getCookies(url).set(name!, value)
        else getCookies(url).delete(name!)
      }
      const location = response.headers.get('location')
      return {
        status: response.status,
        url,
        text: await response.text(),
        ...(location ? { location: new URL(location, url).href } : {}),
      }
    },
  }
}

export const buildStartUrl = (accountId: string): string =>
  `${getServer().baseUrl}/v1/auth/sso/start?accountId=${accountId}`

export const STATE = 'state-of-the-page'

export async function signInAtProvider(
  at: ReturnType<typeof createBrowser>,
  accountId: string,
  name: string,
): Promise<string> {
  let page = await at.go(`${buildStartUrl(accountId)}&state=${STATE}`)
  for (let steps = 0; steps < 12; steps++) {
    if (page.location?.startsWith(getServer().baseUrl)) return page.location
    if (page.location) page = await at.go(page.location)
    else {
      const action = /action="([^"]+)"/.exec(page.text)![1]!
      const prompt = /name="prompt" value="([^"]+)"/.exec(page.text)![1]!
      page = await at.go(
        new URL(action, page.url).href,
        prompt === 'login' ? { prompt, login: name, password: 'x' } : { prompt },
      )
    }
  }
  throw new Error(`The sign-in at the provider did not complete: ${page.url} ${page.text.slice(0, 500)}`)
}

export async function getSignOnToken(accountId: string, name: string): Promise<string> {
  const at = createBrowser()
  const { status, text, location } = await at.go(await signInAtProvider(at, accountId, name))
  if (status !== 302 || !location) throw new Error(`${status} ${text}`)
  return new URLSearchParams(new URL(location).hash.slice(1)).get('token')!
}
