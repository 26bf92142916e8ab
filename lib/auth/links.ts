/** Links in mails: to the page of guests, or to the page of those who administer. */
import { env } from '../core/env.ts'

const without = (base: string): string => (base || new URL(env().BASE_URL).origin).replace(/\/+$/, '')

/** The token stands behind `#`: browsers do not send that part to servers or to the next page. */
const behind = (token: string | undefined): string => (token ? `#token=${token}` : '')

/** A space on the page of guests. */
export const linkTo = (spaceId: string, token?: string): string =>
  `${without(env().GUEST_URL)}/s/${spaceId}${behind(token)}`

/** A page for users. */
export const pageLink = (page: string, token?: string): string =>
  `${without(env().CONSOLE_URL)}/${page}${behind(token)}`

/** Where users of an account with single sign-on begin. */
export const signInLink = (accountId: string): string => `${env().BASE_URL}/v1/auth/sso/start?accountId=${accountId}`

/** Where the provider leads them back to. */
export const callbackUrl = (): string => `${env().BASE_URL}/v1/auth/sso/callback`

/** The page where a user of the account starts a single sign-on. */
export const signInPage = (accountId: string): string => `${pageLink('sign-in')}?${new URLSearchParams({ accountId })}`

/** The page that takes the token of a finished single sign-on. @param state that the page started it with */
export const signedInPage = (token: string, state = ''): string => `${pageLink('signed-in', token)}&state=${state}`
