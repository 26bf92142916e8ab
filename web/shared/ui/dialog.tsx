/** Dialogs and drawers: trap the focus, close on Escape. */
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslation } from '../texts/texts.tsx'
import { Button } from './controls.tsx'

interface Props {
  title: string
  drawer?: boolean
  wide?: boolean
  onClose(): void
  children: ReactNode
}

export function Dialog({ title, drawer = false, wide = false, onClose, children }: Props) {
  const { t } = useTranslation()
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

export function Confirm(props: {
  title: string
  text: ReactNode
  action: string
  danger?: boolean
  busy?: boolean
  onConfirm(): void
  onClose(): void
}) {
  const { t } = useTranslation()
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.text}</p>
      <div className="actions">
        <Button onClick={props.onClose}>{t('cancel')}</Button>
        <Button kind={props.danger ? 'danger' : 'primary'} busy={props.busy} onClick={props.onConfirm}>
          {props.action}
        </Button>
      </div>
    </Dialog>
  )
}
