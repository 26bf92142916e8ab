/** Short messages that go by themselves; read out as they come. */
import { useSyncExternalStore } from 'react'

interface Toast {
  id: number
  text: string
  kind: 'info' | 'error'
}

const SHOWN_MS = 6000
let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export function toast(text: string, kind: Toast['kind'] = 'info'): void {
  const id = ++count
  change([...toasts, { id, text, kind }])
  setTimeout(() => change(toasts.filter((each) => each.id !== id)), SHOWN_MS)
}

export function ToastRegion() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, kind }) => (
        <div key={id} className={`toast ${kind}`}>
          {text}
        </div>
      ))}
    </div>
  )
}
