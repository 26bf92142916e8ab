/** Dialogs and drawers: focus stays within, Escape closes. */
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTexts } from '../texts/texts.tsx'
import { Button } from './controls.tsx'

interface Given {
  title: string
  /** From the side, beside what it is about. */
  drawer?: boolean
  wide?: boolean
  onClose(): void
  children: ReactNode
}

export function Dialog({ title, drawer = false, wide = false, onClose, children }: Given) {
  const { t } = useTexts()
  const kind = `${drawer ? 'drawer' : 'dialog'}${wide ? ' wide' : ''}`
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className={`overlay ${drawer ? 'side' : ''}`}
    >
      <Modal className={kind}>
        <AriaDialog className="dialog-inside">
          <header>
            <Heading slot="title">{title}</Heading>
            <Button kind="ghost" className="icon" aria-label={t('close')} onClick={onClose}>
              ✕
            </Button>
          </header>
          <div className="dialog-body">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Asks before something that cannot be undone. */
export function Confirm(given: {
  title: string
  text: ReactNode
  action: string
  danger?: boolean
  busy?: boolean
  onConfirm(): void
  onClose(): void
}) {
  const { t } = useTexts()
  return (
    <Dialog title={given.title} onClose={given.onClose}>
      <p>{given.text}</p>
      <div className="actions">
        <Button onClick={given.onClose}>{t('cancel')}</Button>
        <Button kind={given.danger ? 'danger' : 'primary'} busy={given.busy} onClick={given.onConfirm}>
          {given.action}
        </Button>
      </div>
    </Dialog>
  )
}
