/** Links between the parts of a page, each with an address. */
import { Link } from 'wouter'
import { useTranslation } from '../texts/texts.tsx'
import './navigation.css'

export interface TabItem {
  id: string
  label: string
  href: string
  count?: number
}

export function Tabs({ label, items, selected }: { label: string; items: readonly TabItem[]; selected: string }) {
  const { number } = useTranslation()
  return (
    <nav className="tabs-row" aria-label={label}>
      {items.map(({ id, label: text, href, count }) => (
        <Link key={id} href={href} className="tab" aria-current={id === selected ? 'page' : undefined}>
          {text}
          {count !== undefined && <span className="count">{number(count)}</span>}
        </Link>
      ))}
    </nav>
  )
}
