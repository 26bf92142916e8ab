import { hostname } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { Wharf } from '../../../sdk/src/index.ts'
import { UsageError } from '../exit-codes.ts'
import {
  deleteSettings,
  getDefaultUrl,
  getSettingsPath,
  readSettings,
  type Settings,
  storeSettings,
} from '../settings.ts'

interface LoginOptions {
  url: string
  email?: string
  token?: string
}

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('Sign in, and store a token for the other commands')
    .option('--url <address>', 'address of the platform', getDefaultUrl())
    .option('--email <address>', 'email address; the password is asked for, or read from stdin')
    .option('--token <token>', 'use this secret key or personal access token instead of a password')
    .action(async (options: LoginOptions) => {
      const settings = options.token ? { url: options.url, token: options.token } : await createToken(options)
      const { name } = await new Wharf({ baseUrl: settings.url, token: settings.token }).accounts.current()
      storeSettings(settings)
      console.error(`Signed in to ${name} at ${settings.url}. The token is in ${getSettingsPath()}.`)
    })
  program
    .command('logout')
    .description('Delete the stored token, also on the platform if `wharf login` created it')
    .action(async () => {
      const { url, token, tokenId } = readSettings()
      if (tokenId) await new Wharf({ baseUrl: url, token }).auth.removeToken(tokenId)
      deleteSettings()
      console.error('Signed out.')
    })
}

async function createToken({ url, email: givenEmail }: LoginOptions): Promise<Settings> {
  const email = givenEmail ?? (await ask('Email address: '))
  const password = await ask('Password: ', true)
  const anonymous = new Wharf({ baseUrl: url, token: '' })
  const { accessToken } = await anonymous.auth.exchange({ email, password })
  const session = new Wharf({ baseUrl: url, token: accessToken })
  const created = await session.auth.createToken({ name: `wharf on ${hostname()}` })
  return { url, token: created.token, tokenId: created.personalAccessToken.id }
}

async function ask(question: string, isHidden = false): Promise<string> {
  if (!process.stdin.isTTY && !isHidden) throw new UsageError('Pass --email, or --token.')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: process.stdin,
    output: isHidden ? silent : process.stderr,
    terminal: process.stdin.isTTY,
  })
  try {
    if (isHidden && process.stdin.isTTY) process.stderr.write(question)
    if (process.stdin.isTTY) return await lines.question(isHidden ? '' : question)
    for await (const line of lines) return line
    throw new UsageError('The password is missing on stdin.')
  } finally {
    lines.close()
    if (isHidden && process.stdin.isTTY) process.stderr.write('\n')
  }
}
