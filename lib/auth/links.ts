/** Builds links to the guest portal, the console and single sign-on. */
import { env } from '../core/env.ts'

const trimTrailingSlash = (base: string): string => (base || new URL(env().BASE_URL).origin).replace(/\/+$/, '')

/** In the fragment: browsers send it neither to servers nor to the next page. */
const buildFragment = (token: string | undefined): string => (token ? `#token=${token}` : '')

export const buildSpaceLink = (spaceId: string, token?: string): string =>
  `${trimTrailingSlash(env().GUEST_URL)}/s/${spaceId}${buildFragment(token)}`

export const buildPageLink = (page: string, token?: string): string =>
  `${trimTrailingSlash(env().CONSOLE_URL)}/${page}${buildFragment(token)}`

export const buildSsoStartLink = (accountId: string): string =>
  `${env().BASE_URL}/v1/auth/sso/start?accountId=${accountId}`

export const getCallbackUrl = (): string => `${env().BASE_URL}/v1/auth/sso/callback`

export const buildSignInPageLink = (accountId: string): string =>
  `${buildPageLink('sign-in')}?${new URLSearchParams({ accountId })}`

export const buildSignedInPageLink = (token: string, state = ''): string =>
  `${buildPageLink('signed-in', token)}&state=${state}`
