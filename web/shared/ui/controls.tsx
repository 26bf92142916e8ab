/** Buttons and fields: the browser's own, dressed. */
import { type ComponentProps, type ReactNode, useId } from 'react'

type Kind = 'plain' | 'primary' | 'danger' | 'ghost'

/** One that is busy keeps the focus, and does nothing: a disabled one would lose it, and with it the dialog its keys. */
export function Button({
  kind = 'plain',
  busy = false,
  className = '',
  children,
  onClick,
  ...props
}: ComponentProps<'button'> & { kind?: Kind; busy?: boolean }) {
  return (
    <button
      type="button"
      className={`button ${kind} ${className}`}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...props}
    >
      {busy && <span className="spinner small" />}
      {children}
    </button>
  )
}

/** A control with its label, and what is wrong with it. */
export function Field({
  label,
  hint,
  children,
}: {
  label: string
  hint?: ReactNode
  children(id: string, hintId: string | undefined): ReactNode
}) {
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id, hintId)}
      {hint && (
        <p id={hintId} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

export function TextField({ label, hint, ...props }: ComponentProps<'input'> & { label: string; hint?: ReactNode }) {
  return (
    <Field label={label} hint={hint}>
      {(id, hintId) => <input id={id} aria-describedby={hintId} {...props} />}
    </Field>
  )
}

export function TextArea({ label, hint, ...props }: ComponentProps<'textarea'> & { label: string; hint?: ReactNode }) {
  return (
    <Field label={label} hint={hint}>
      {(id, hintId) => <textarea id={id} aria-describedby={hintId} {...props} />}
    </Field>
  )
}

export interface Option {
  value: string
  label: string
}

export function SelectField({
  label,
  options,
  hideLabel = false,
  ...props
}: Omit<ComponentProps<'select'>, 'children'> & { label: string; options: readonly Option[]; hideLabel?: boolean }) {
  const select = (id?: string) => (
    <select id={id} aria-label={hideLabel ? label : undefined} {...props}>
      {options.map((each) => (
        <option key={each.value} value={each.value}>
          {each.label}
        </option>
      ))}
    </select>
  )
  return hideLabel ? select() : <Field label={label}>{(id) => select(id)}</Field>
}

export function CheckField({ label, ...props }: Omit<ComponentProps<'input'>, 'type'> & { label: string }) {
  return (
    <label className="check">
      <input type="checkbox" {...props} />
      <span>{label}</span>
    </label>
  )
}
