import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from './controls.tsx'
import './states.css'

interface ToastAction {
  label: string
  run(): void
}

interface Toast {
  id: number
  text: string
  kind: 'info' | 'error'
  action?: ToastAction
}

const TOAST_MS = 6000
const ACTION_TOAST_MS = 12_000
let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()

function setToasts(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

const dismissToast = (id: number) => setToasts(toasts.filter((toast) => toast.id !== id))

export function toast(text: string, kind: Toast['kind'] = 'info', action?: ToastAction): void {
  setToasts([...toasts, { id: ++count, text, kind, action }])
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
      {visibleToasts.map((visibleToast) => (
        <ToastItem key={visibleToast.id} toast={visibleToast} />
      ))}
    </div>
  )
}

/** Stays while the pointer or the focus is on it. */
function ToastItem({ toast: { id, text, kind, action } }: { toast: Toast }) {
  const [isHeld, setIsHeld] = useState(false)
  const lifetime = action ? ACTION_TOAST_MS : TOAST_MS
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismissToast(id), lifetime)
    return () => clearTimeout(timer)
  }, [id, isHeld, lifetime])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only delays when the toast disappears
    <div
      className={`toast ${kind}`}
      dir="auto"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <span>{text}</span>
      {action && (
        <Button
          kind="ghost"
          onClick={() => {
            dismissToast(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
    </div>
  )
}
