/** Single sign-on with a random state in this tab, so that an attacker cannot inject a token of another account. */
import { createValueStore } from './storage.ts'

const STATE = createValueStore(() => sessionStorage, 'wharf.sign-in')

export function startSignOn(accountId: string): void {
  const state = crypto.randomUUID()
  STATE.set(state)
  location.assign(`/api/v1/auth/sso/start?${new URLSearchParams({ accountId, state })}`)
}

export function verifySignOnState(state: string | undefined): boolean {
  const expected = STATE.get()
  STATE.remove()
  return expected !== undefined && state === expected
}
