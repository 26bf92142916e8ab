import { useSyncExternalStore } from 'react'
import './states.css'

interface Toast {
  id: number
  text: string
  kind: 'info' | 'error'
}

const TOAST_MS = 6000
let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()

function setToasts(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export function toast(text: string, kind: Toast['kind'] = 'info'): void {
  const id = ++count
  setToasts([...toasts, { id, text, kind }])
  setTimeout(() => setToasts(toasts.filter((toast) => toast.id !== id)), TOAST_MS)
}

export function ToastRegion() {
  const visibleToasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div className="toasts" role="status" aria-live="polite">
      {visibleToasts.map(({ id, text, kind }) => (
        <div key={id} className={`toast ${kind}`} dir="auto">
          {text}
        </div>
      ))}
    </div>
  )
}
