/** The page to open after signing in, also after a detour over an identity provider. */
import { createValueStore } from './storage.ts'

const PAGE_STORE = createValueStore(() => sessionStorage, 'wharf.returnPage')
const HOME = '/console'

export const setReturnPage = (path: string): void => PAGE_STORE.set(path)

export function takeReturnPage(): string {
  const path = PAGE_STORE.get() ?? HOME
  PAGE_STORE.remove()
  return path
}
