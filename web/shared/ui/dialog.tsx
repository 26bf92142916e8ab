/** Dialogs and drawers: trap the focus, close on Escape. */
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslation } from '../texts/texts.tsx'
import { Button } from './controls.tsx'
import './dialog.css'

interface Props {
  title: string
  place?: 'center' | 'start' | 'end'
  wide?: boolean
  onClose(): void
  children: ReactNode
}

export function Dialog({ title, place = 'center', wide = false, onClose, children }: Props) {
  const { t } = useTranslation()
  const kind = `${place === 'center' ? 'dialog' : 'drawer'}${wide ? ' wide' : ''}`
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => !open && onClose()} className={`overlay ${place}`}>
      <Modal className={kind}>
        <AriaDialog className="dialog-inside">
          <header>
            <Heading slot="title">{title}</Heading>
            <Button kind="ghost" className="icon" aria-label={t('close')} onClick={onClose}>
              <X aria-hidden="true" />
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
