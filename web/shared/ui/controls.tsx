/** Styled native buttons and form fields. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import './controls.css'

type Kind = 'plain' | 'primary' | 'danger' | 'ghost'

/** A busy button stays enabled to keep the focus; otherwise its dialog would lose keyboard events. */
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
      {(id, hintId) => <textarea id={id} dir="auto" aria-describedby={hintId} {...props} />}
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
  const renderSelect = (id?: string) => (
    <select id={id} aria-label={hideLabel ? label : undefined} {...props}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
  return hideLabel ? renderSelect() : <Field label={label}>{(id) => renderSelect(id)}</Field>
}

export function CheckField({ label, ...props }: Omit<ComponentProps<'input'>, 'type'> & { label: string }) {
  return (
    <label className="check">
      <input type="checkbox" {...props} />
      <span>{label}</span>
    </label>
  )
}

export function SwitchField({ label, ...props }: Omit<ComponentProps<'input'>, 'type' | 'role'> & { label: string }) {
  return (
    <label className="check switch">
      {/* biome-ignore lint/a11y/useAriaPropsForRole: browsers derive it from `checked` */}
      <input type="checkbox" role="switch" {...props} />
      <span>{label}</span>
    </label>
  )
}
