/** Where files are dropped or chosen, and how far they are. */
import { type DragEvent, useId, useState } from 'react'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Failure } from '../shared/ui/states.tsx'
import { useUploads } from './uploads.ts'

export function Drop({ spaceId }: { spaceId: string }) {
  const { t, bytes } = useTexts()
  const { uploads, add, again, cancel } = useUploads(spaceId)
  const [over, setOver] = useState(false)
  const inputId = useId()
  const drag = (entering: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(entering)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add(event.dataTransfer.files)
  }
  return (
    <section aria-label={t('upload')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop on; the field in it does the same by keyboard */}
      <div
        className={`drop ${over ? 'over' : ''}`}
        onDragEnter={drag(true)}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={drop}
      >
        <p>{t('dropFiles')}</p>
        <p className="hint">CSV, TSV, XLSX, JSON, XML, ZIP</p>
        <label className="button primary" htmlFor={inputId}>
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
      </div>
      {uploads.map(({ id, name, size, sent, error }) => (
        <div key={id} className="upload">
          <span className="clip" dir="auto">
            {name}
          </span>
          {error ? (
            <Failure error={error} again={() => again(id)} />
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
