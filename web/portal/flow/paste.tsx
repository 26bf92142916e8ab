/** A pasted table becomes a file. */
import { ClipboardPaste } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextArea } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'

type AddFiles = (files: Iterable<globalThis.File>) => void

const hasColumns = (text: string): boolean => /[\t\n]/.test(text.trim())

function toFile(text: string, name: string): globalThis.File {
  const [extension, type] = text.includes('\t') ? ['tsv', 'text/tab-separated-values'] : ['csv', 'text/csv']
  return new File([text], `${name}.${extension}`, { type })
}

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null

/** Whole pages take what is pasted, but not what is pasted into a field. */
function usePastedFiles(add: AddFiles, name: string): void {
  const latest = useRef({ add, name })
  latest.current = { add, name }
  useEffect(() => {
    const handlePaste = ({ clipboardData, target }: ClipboardEvent) => {
      if (!clipboardData || isEditable(target)) return
      if (clipboardData.files.length > 0) return latest.current.add([...clipboardData.files])
      const text = clipboardData.getData('text/plain')
      if (hasColumns(text)) latest.current.add([toFile(text, latest.current.name)])
    }
    addEventListener('paste', handlePaste)
    return () => removeEventListener('paste', handlePaste)
  }, [])
}

export function PasteTable({ onAdd }: { onAdd: AddFiles }) {
  const { t, language } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }).format(new Date())
  const name = t('pastedTable', { time: time.replaceAll(/[:/\\]/g, '.') })
  usePastedFiles(onAdd, name)
  const close = () => {
    setIsOpen(false)
    setText('')
  }
  const use = () => {
    onAdd([toFile(text, name)])
    close()
  }
  return (
    <>
      <Button kind="ghost" onClick={() => setIsOpen(true)}>
        <ClipboardPaste aria-hidden="true" /> {t('pasteTable')}
      </Button>
      {isOpen && (
        <Dialog wide title={t('pasteTable')} onClose={close}>
          <TextArea
            label={t('pasteHere')}
            hint={t('pasteRowsHint')}
            rows={12}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div className="actions">
            <Button onClick={close}>{t('cancel')}</Button>
            <Button kind="primary" disabled={!hasColumns(text)} onClick={use}>
              {t('useTable')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
