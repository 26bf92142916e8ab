/**
 * Single sign-on as a page starts it: with a random state that stays in this tab. A token that comes back without it was sent here by
 * somebody else, who would have people work in another account than their own.
 */
import { kept } from './storage.ts'

const STATE = kept(() => sessionStorage, 'wharf.sign-in')

export function startSignOn(accountId: string): void {
  const state = crypto.randomUUID()
  STATE.set(state)
  location.assign(`/api/v1/auth/sso/start?${new URLSearchParams({ accountId, state })}`)
}

/** Whether this tab started the sign-in that ends with the state. True once. */
export function endsSignOn(state: string | undefined): boolean {
  const started = STATE.get()
  STATE.remove()
  return started !== undefined && state === started
}
