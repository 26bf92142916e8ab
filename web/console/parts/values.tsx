/** Values that are hidden, or shown only once. */
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { CopyButton } from '../../shared/ui/copy.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'

export function HiddenValue({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation()
  const [isVisible, setIsVisible] = useState(false)
  return (
    <span className="hidden-value">
      <code>{isVisible ? value : '••••••••••••'}</code>
      <Button
        kind="ghost"
        aria-label={`${isVisible ? t('hide') : t('show')}: ${name}`}
        onClick={() => setIsVisible(!isVisible)}
      >
        {isVisible ? t('hide') : t('show')}
      </Button>
      <CopyButton value={value} name={name} />
    </span>
  )
}

export const CopyableValue = ({ value, name }: { value: string; name: string }) => (
  <span className="hidden-value">
    <code>{value}</code>
    <CopyButton value={value} name={name} />
  </span>
)

interface OneTimeProps {
  title: string
  value: string
  children?: ReactNode
  onClose(): void
}

export function OneTimeValue({ title, value, children, onClose }: OneTimeProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="notice warn">{t('shownOnce')}</p>
      <code className="once">{value}</code>
      {children}
      <div className="actions">
        <CopyButton value={value} name={title} />
        <Button kind="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </Dialog>
  )
}
