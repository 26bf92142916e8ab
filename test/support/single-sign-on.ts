/** Single sign-on as a person meets it: an OpenID provider on this machine, and a browser that signs in there. */
import { type ChildProcess, spawn } from 'node:child_process'
import { server, until } from './api.ts'

export const CLIENT = { clientId: 'wharf', clientSecret: 'a secret of the provider' }

export interface IdentityProvider {
  issuer: string
  stop(): void
}

/** @returns a provider of the platform that the tests call */
export async function startProvider(): Promise<IdentityProvider> {
  const callback = `${server().baseUrl}/v1/auth/sso/callback`
  const child: ChildProcess = spawn(process.execPath, ['test/support/openid-provider.mjs', callback], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout!.on('data', (chunk) => (text += chunk))
  const issuer = await until(async () => /http:\/\/127\S+/.exec(text)?.[0], 30)
  return { issuer, stop: () => void child.kill('SIGKILL') }
}

/** A browser: keeps cookies by host, and follows no redirect. */
export function browser() {
  const jar = new Map<string, Map<string, string>>()
  const of = (url: string) => {
    const { host } = new URL(url)
    if (!jar.has(host)) jar.set(host, new Map())
    return jar.get(host)!
  }
  return {
    jar: of,
    async go(
      url: string,
      form?: Record<string, string>,
    ): Promise<{ status: number; url: string; text: string; location?: string }> {
      const cookies = [...of(url)].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, {
        redirect: 'manual',
        headers: cookies ? { cookie: cookies } : {},
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
        if (value) of(url).set(name!, value)
        else of(url).delete(name!)
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

export const startOf = (accountId: string): string => `${server().baseUrl}/v1/auth/sso/start?accountId=${accountId}`

/** What a page of the application starts a sign-in with. */
export const STATE = 'state-of-the-page'

/** Signs in at the provider and consents. @returns where the provider leads back to */
export async function backFromProvider(
  at: ReturnType<typeof browser>,
  accountId: string,
  name: string,
): Promise<string> {
  let page = await at.go(`${startOf(accountId)}&state=${STATE}`)
  for (let steps = 0; steps < 12; steps++) {
    if (page.location?.startsWith(server().baseUrl)) return page.location
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
  throw new Error(`The provider led nowhere: ${page.url} ${page.text.slice(0, 500)}`)
}

/** @returns the access token that the application gets for a person the account has invited */
export async function tokenBySignOn(accountId: string, name: string): Promise<string> {
  const at = browser()
  const { status, text, location } = await at.go(await backFromProvider(at, accountId, name))
  if (status !== 302 || !location) throw new Error(`${status} ${text}`)
  return new URLSearchParams(new URL(location).hash.slice(1)).get('token')!
}
