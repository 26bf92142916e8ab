import { useState } from 'react'
import { createValueStore } from '../../shared/storage.ts'
import type { Draft } from './draft.ts'

export function useStoredDraft(environmentId: string) {
  const store = createValueStore(() => sessionStorage, `wharf.builder.${environmentId}`)
  const [draft, setDraft] = useState(() => parseDraft(store.get()))
  const change = (next: Draft | undefined) => {
    setDraft(next)
    if (next) store.set(JSON.stringify(next))
    else store.remove()
  }
  return [draft, change] as const
}

function parseDraft(text: string | undefined): Draft | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Draft)
  } catch {
    return undefined
  }
}
