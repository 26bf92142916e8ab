import type { ReactNode } from 'react'
import { useTranslation } from '../texts/texts.tsx'
import { Button } from './controls.tsx'
import { describeError } from './errors.ts'
import { Loading } from './loading.tsx'
import './states.css'

export { Loading }

export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const i18n = useTranslation()
  return (
    <div className="notice error" role="alert">
      <div>
        {describeError(error, i18n).map((message) => (
          <p key={message} dir="auto">
            {message}
          </p>
        ))}
      </div>
      {onRetry && <Button onClick={onRetry}>{i18n.t('tryAgain')}</Button>}
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}

export type Tone = 'neutral' | 'good' | 'fair' | 'bad'

export function Badge(props: { tone?: Tone; wraps?: boolean; title?: string; children: ReactNode }) {
  const { tone = 'neutral', wraps = false, title, children } = props
  return (
    <span className={`badge ${tone} ${wraps ? 'wrap' : ''}`} title={title}>
      {children}
    </span>
  )
}

/** Without a value, the end is not known. `value` is a part of `max`. */
export function Progress(props: { label: string; value?: number; max?: number; hideLabel?: boolean }) {
  const { label, value, max = 100, hideLabel = false } = props
  const { percent } = useTranslation()
  if (hideLabel) return <progress aria-label={label} value={value} max={max} />
  return (
    <div className="progress">
      <span>
        {label}
        {value !== undefined && <span className="count">{percent(value / max)}</span>}
      </span>
      <progress aria-label={label} value={value} max={max} />
    </div>
  )
}

interface QueryState<T> {
  data: T | undefined
  error: unknown
  refetch(): unknown
}

export function QueryView<T>({
  query: { data, error, refetch },
  children,
}: {
  query: QueryState<T>
  children(data: T): ReactNode
}) {
  if (data !== undefined) return children(data)
  return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <Loading />
}
