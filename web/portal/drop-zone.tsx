import { type DragEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { ErrorNotice } from '../shared/ui/states.tsx'
import { PasteTable } from './flow/paste.tsx'
import { useUploads } from './uploads.ts'

/** A browser opens a file that is dropped next to the zone, and the page with its uploads is gone. */
function ignoreFilesElsewhere(): () => void {
  const ignore = (event: Event) => event.preventDefault()
  addEventListener('dragover', ignore)
  addEventListener('drop', ignore)
  return () => {
    removeEventListener('dragover', ignore)
    removeEventListener('drop', ignore)
  }
}

export function DropZone({ spaceId, isPrimary = true }: { spaceId: string; isPrimary?: boolean }) {
  const { t, bytes } = useTranslation()
  const { uploads, add, retry, cancel } = useUploads(spaceId)
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const inputId = useId()
  useEffect(ignoreFilesElsewhere, [])
  const handleDrag = (entering: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setIsDraggedOver(entering)
  }
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsDraggedOver(false)
    add(event.dataTransfer.files)
  }
  return (
    <section aria-label={t('upload')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop on; the field in it does the same by keyboard */}
      <div
        className={`drop ${isPrimary ? '' : 'compact'} ${isDraggedOver ? 'over' : ''}`}
        onDragEnter={handleDrag(true)}
        onDragOver={handleDrag(true)}
        onDragLeave={handleDrag(false)}
        onDrop={handleDrop}
      >
        <div>
          <p>{t('dropFiles')}</p>
          <p className="hint">CSV, TSV, XLSX, XLS, ODS, Parquet, Arrow, JSON, XML, ZIP</p>
        </div>
        <div className="buttons">
          <label className={`button ${isPrimary ? 'primary' : ''}`} htmlFor={inputId}>
            {t('chooseFiles')}
            <input
              id={inputId}
              type="file"
              multiple
              className="visually-hidden"
              onChange={(event) => {
                add(event.target.files ?? [])
                event.target.value = ''
              }}
            />
          </label>
          <PasteTable onAdd={add} />
        </div>
      </div>
      {uploads.map(({ id, name, size, sent, error }) => (
        <div key={id} className="upload">
          <span className="clip" dir="auto">
            {name}
          </span>
          {error ? (
            <ErrorNotice error={error} onRetry={() => retry(id)} />
          ) : (
            <>
              <progress value={sent} max={Math.max(size, 1)} aria-label={name} />
              <span className="hint">
                {bytes(sent)} / {bytes(size)}
              </span>
            </>
          )}
          <Button kind="ghost" onClick={() => cancel(id)}>
            {error ? t('close') : t('cancel')}
          </Button>
        </div>
      ))}
    </section>
  )
}
