/** Empty, error and loading states. */
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { useTranslation } from '../texts/texts.tsx'
import { Button } from './controls.tsx'
import { Loading } from './loading.tsx'

export { Loading }

export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="notice error" role="alert">
      <div>
        {getErrorMessages(error, t('serverUnreachable')).map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
      {onRetry && <Button onClick={onRetry}>{t('tryAgain')}</Button>}
    </div>
  )
}

export function getErrorMessages(error: unknown, networkErrorText: string): string[] {
  if (error instanceof ApiError)
    return error.status === 0
      ? [networkErrorText]
      : error.problems.length
        ? error.problems.map((p) => p.message)
        : [error.message]
  return [error instanceof Error ? error.message : String(error)]
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
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
