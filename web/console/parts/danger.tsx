/** The actions at the end of an object's settings that are hard to undo. */
import type { ReactNode } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Section } from './page.tsx'

export function DangerZone({ items }: { items: readonly { title: string; text: string; action: ReactNode }[] }) {
  const { t } = useTranslation()
  return (
    <Section title={t('dangerZone')}>
      <ul className="rows danger-zone">
        {items.map(({ title, text, action }) => (
          <li key={title}>
            <div className="grow">
              <h3>{title}</h3>
              <p className="hint">{text}</p>
            </div>
            {action}
          </li>
        ))}
      </ul>
    </Section>
  )
}
