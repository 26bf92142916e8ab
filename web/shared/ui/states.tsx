/** What a screen shows while there is nothing to show, or nothing to be had. */
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { useTexts } from '../texts/texts.tsx'
import { Button } from './controls.tsx'
import { Loading } from './loading.tsx'

export { Loading }

/** A refusal, as the server words it. */
export function Failure({ error, again }: { error: unknown; again?: () => void }) {
  const { t } = useTexts()
  return (
    <div className="notice error" role="alert">
      <div>
        {problemsOf(error, t('noAnswer')).map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
      {again && <Button onClick={again}>{t('again')}</Button>}
    </div>
  )
}

export function problemsOf(error: unknown, noAnswer: string): string[] {
  if (error instanceof ApiError)
    return error.status === 0
      ? [noAnswer]
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

interface Asked<T> {
  data: T | undefined
  error: unknown
  refetch(): unknown
}

/** Shows what was asked for once it is there. */
export function Shown<T>({ of: { data, error, refetch }, children }: { of: Asked<T>; children(data: T): ReactNode }) {
  if (data !== undefined) return children(data)
  return error ? <Failure error={error} again={() => void refetch()} /> : <Loading />
}
