import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ApiError } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Empty, QueryView } from '../../shared/ui/states.tsx'

export interface Parent {
  title: string
  href: string
}

interface HeaderProps {
  title: string
  text?: string
  parent?: Parent
  badge?: ReactNode
  children?: ReactNode
}

export function PageHeader({ title, text, parent, badge, children }: HeaderProps) {
  return (
    <header className="page-head">
      <div className="page-title">
        {parent && (
          <Link href={parent.href} className="parent">
            {parent.title}
            <ChevronRight aria-hidden="true" className="flips" />
          </Link>
        )}
        <div className="title-row">
          <h1 dir="auto">{title}</h1>
          {badge}
        </div>
        {text && <p className="muted">{text}</p>}
      </div>
      <div className="buttons">{children}</div>
    </header>
  )
}

export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <div className="section-head">
        <h2>{title}</h2>
        <div className="buttons">{actions}</div>
      </div>
      {children}
    </section>
  )
}

export type Detail = readonly [title: string, value: ReactNode]

/** Leaves out what has no value. */
export function Details({ items }: { items: readonly Detail[] }) {
  return (
    <dl className="details card">
      {items
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

export function TimeAgo({ time }: { time: string | undefined }) {
  const { ago, date } = useTranslation()
  if (!time) return null
  return (
    <time dateTime={time} title={date(time)}>
      {ago(time)}
    </time>
  )
}

export function JsonView({ value }: { value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <pre className="json" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}

export function ShowJson({ value, isOpen = false }: { value: unknown; isOpen?: boolean }) {
  const { t } = useTranslation()
  return (
    <details className="show-json" open={isOpen}>
      <summary>{t('showJson')}</summary>
      <JsonView value={value} />
    </details>
  )
}

export function Missing({ title, parent }: { title: string; parent: Parent }) {
  return (
    <Empty title={title}>
      <p>
        <Link href={parent.href}>{parent.title}</Link>
      </p>
    </Empty>
  )
}

interface ObjectViewProps<T> {
  query: { data: T | undefined; error: unknown; refetch(): unknown }
  parent: Parent
  children(data: T): ReactNode
}

export function ObjectView<T>({ query, parent, children }: ObjectViewProps<T>) {
  const { t } = useTranslation()
  const { data, error } = query
  if (data === undefined && error instanceof ApiError && (error.status === 404 || error.status === 403))
    return (
      <>
        <PageHeader title={t('objectMissing')} parent={parent} />
        <Missing title={t('objectMissingText')} parent={parent} />
      </>
    )
  return <QueryView query={query}>{children}</QueryView>
}
