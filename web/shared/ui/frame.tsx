/** The page frame: navigation at the side, or in a drawer on a phone, and the main content. */
import { Menu } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useTranslation } from '../texts/texts.tsx'
import { Button } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import './frame.css'

interface Props {
  label: string
  title: string
  /** Absent in the embedded wizard. */
  sidebar?: ReactNode
  embedded?: boolean
  children: ReactNode
}

export function Frame({ label, title, sidebar, embedded = false, children }: Props) {
  const { t } = useTranslation()
  return (
    <div className={`frame ${sidebar ? '' : 'bare'} ${embedded ? 'embedded' : ''}`}>
      <a className="skip" href="#main">
        {t('skipToContent')}
      </a>
      {sidebar && (
        <>
          <TopBar title={title} sidebar={sidebar} />
          <aside className="sidebar" aria-label={label}>
            {sidebar}
          </aside>
        </>
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function TopBar({ title, sidebar }: Pick<Props, 'title' | 'sidebar'>) {
  const { t } = useTranslation()
  const [path] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu
  useEffect(() => setIsOpen(false), [path])
  return (
    <header className="topbar">
      <Button kind="ghost" className="icon" aria-label={t('menu')} onClick={() => setIsOpen(true)}>
        <Menu aria-hidden="true" />
      </Button>
      <span className="clip" dir="auto">
        {title}
      </span>
      {isOpen && (
        <Dialog title={t('menu')} place="start" onClose={() => setIsOpen(false)}>
          <div className="sidebar-content">{sidebar}</div>
        </Dialog>
      )}
    </header>
  )
}
