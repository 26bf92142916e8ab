import { useMutation } from '@tanstack/react-query'
import { ClipboardPaste, Plus } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextArea } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ErrorNotice, Loading } from '../../shared/ui/states.tsx'
import { createSheet, type Draft } from './draft.ts'
import { readSample } from './sample.ts'
import { buildDraft } from './templates/build.ts'
import { TEMPLATES } from './templates/index.ts'

interface Props {
  environmentId: string
  onStart(draft: Draft): void
}

export function Start({ environmentId, onStart }: Props) {
  const { t, translate } = useTranslation()
  const read = useMutation({
    mutationFn: (file: globalThis.File) => readSample(environmentId, file, translate),
    onSuccess: onStart,
  })
  const startEmpty = () => {
    const name = t('newWorkbookName')
    onStart({ name, sheets: [createSheet(t('newSheetName'), [])], canSubmit: true, onlyValid: true })
  }
  return (
    <div className="builder-start">
      <section className="card">
        <h2>{t('startFromFile')}</h2>
        <p className="muted">{t('startFromFileText')}</p>
        {read.error && <ErrorNotice error={read.error} />}
        {read.isPending ? (
          <div role="status" className="reading">
            <Loading />
            {t('readingSample', { name: read.variables.name })}
          </div>
        ) : (
          <SampleDrop onFile={(file) => read.mutate(file)} />
        )}
      </section>
      <Gallery onStart={onStart} onEmpty={startEmpty} />
    </div>
  )
}

function SampleDrop({ onFile }: { onFile(file: globalThis.File): void }) {
  const { t } = useTranslation()
  const [isOver, setIsOver] = useState(false)
  const [isPasting, setIsPasting] = useState(false)
  const drag = (entering: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setIsOver(entering)
  }
  const take = (file: globalThis.File | undefined) => file && onFile(file)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same by keyboard */}
      <div
        className={`sample-drop${isOver ? ' over' : ''}`}
        onDragEnter={drag(true)}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event)
          take(event.dataTransfer.files[0])
        }}
      >
        <p>{t('dropSample')}</p>
        <p className="hint">CSV, TSV, XLSX, ODS, JSON, XML</p>
        <div className="buttons">
          <label className="button primary">
            {t('chooseFile')}
            <input type="file" className="visually-hidden" onChange={(event) => take(event.target.files?.[0])} />
          </label>
          <Button onClick={() => setIsPasting(true)}>
            <ClipboardPaste aria-hidden="true" />
            {t('pasteRows')}
          </Button>
        </div>
      </div>
      {isPasting && <PasteDialog onFile={onFile} onClose={() => setIsPasting(false)} />}
    </>
  )
}

function PasteDialog({ onFile, onClose }: { onFile(file: globalThis.File): void; onClose(): void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const read = () => {
    const isTable = text.includes('\t')
    onFile(new File([text], `${t('pastedSample')}.${isTable ? 'tsv' : 'csv'}`, { type: 'text/csv' }))
    onClose()
  }
  return (
    <Dialog title={t('pasteRows')} wide onClose={onClose}>
      <TextArea
        label={t('rows')}
        hint={t('pasteRowsHint')}
        rows={10}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="primary" disabled={text.trim() === ''} onClick={read}>
          {t('continue')}
        </Button>
      </div>
    </Dialog>
  )
}

function Gallery({ onStart, onEmpty }: { onStart(draft: Draft): void; onEmpty(): void }) {
  const { t } = useTranslation()
  return (
    <section>
      <h2>{t('startFromTemplate')}</h2>
      <ul className="gallery">
        {TEMPLATES.map((template) => {
          const { id, title, text, Icon } = template
          return (
            <li key={id}>
              <button type="button" className="template" onClick={() => onStart(buildDraft(template))}>
                <Icon aria-hidden="true" />
                <strong>{t(title)}</strong>
                <span className="hint">{t(text)}</span>
              </button>
            </li>
          )
        })}
        <li>
          <button type="button" className="template empty-template" onClick={onEmpty}>
            <Plus aria-hidden="true" />
            <strong>{t('startEmpty')}</strong>
            <span className="hint">{t('startEmptyText')}</span>
          </button>
        </li>
      </ul>
    </section>
  )
}
