import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ErrorNotice, QueryView } from '../../shared/ui/states.tsx'
import { JobState } from '../jobs.tsx'
import { describeJob } from '../outcome.tsx'
import { type File, hasEnded, type Job, jobQuery, previewQuery, type Space } from '../queries.ts'
import {
  buildExtractConfig,
  DELIMITERS,
  ENCODINGS,
  type FileOptions,
  parseFileOptions,
  resolveHeaderLines,
  resolveHeaderRow,
} from './choice.ts'
import { HeaderRows } from './rows.tsx'

interface Props {
  space: Space
  file: File
  lastExtraction: Job | undefined
  onClose(): void
  onImport(): void
}

export function FileOptionsDialog({ space, file, lastExtraction, onClose, onImport }: Props) {
  const { t } = useTranslation()
  const client = useQueryClient()
  // Fixed when the dialog opens, because the new job becomes the last one.
  const [initialOptions] = useState(() => parseFileOptions(lastExtraction))
  const [fileOptions, setFileOptions] = useState<FileOptions>({ ...initialOptions, headerRows: {}, headerLines: {} })
  const [lastConfig, setLastConfig] = useState(initialOptions.config)
  const [selectedIndex, setSelectedIndex] = useState(0)
  const preview = useQuery({
    ...previewQuery(file.id, fileOptions.delimiter, fileOptions.encoding),
    placeholderData: keepPreviousData,
  })
  const extract = useMutation({
    async mutationFn() {
      const { kind, tables } = preview.data!
      const config = buildExtractConfig(kind, tables, fileOptions, lastConfig)
      const body = {
        type: 'file',
        operation: 'extract',
        source: file.id,
        fileId: file.id,
        trigger: 'immediate',
      } as const
      return (await unwrap(api.POST('/api/v1/jobs', { body: { ...body, config } }))).data
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs', space.id] }),
  })
  const change = (next: Partial<FileOptions>) => {
    setFileOptions((all) => ({ ...all, ...next, headerRows: {}, headerLines: {} }))
    setLastConfig({})
    extract.reset()
  }
  return (
    <Dialog wide title={t('fileOptionsFor', { name: file.name })} onClose={onClose}>
      {extract.error && <ErrorNotice error={extract.error} />}
      <QueryView query={preview}>
        {({ kind, encoding, delimiter, tables }) => {
          const table = tables[selectedIndex] ?? tables[0]
          const tableIndex = table ? tables.indexOf(table) : 0
          return (
            <>
              {kind === 'text' && (
                <div className="inline">
                  <SelectField
                    label={t('delimiter')}
                    value={fileOptions.delimiter}
                    options={[
                      { value: '', label: t('detected', { what: formatDelimiter(delimiter ?? '', t) }) },
                      ...includeSelected(Object.keys(DELIMITERS), fileOptions.delimiter).map((value) => ({
                        value,
                        label: formatDelimiter(value, t),
                      })),
                    ]}
                    onChange={(event) => change({ delimiter: event.target.value })}
                  />
                  <SelectField
                    label={t('encoding')}
                    value={fileOptions.encoding}
                    options={[
                      { value: '', label: t('detected', { what: encoding ?? '' }) },
                      ...includeSelected(ENCODINGS, fileOptions.encoding).map((value) => ({ value, label: value })),
                    ]}
                    onChange={(event) => change({ encoding: event.target.value })}
                  />
                </div>
              )}
              {tables.length > 1 && (
                <SelectField
                  label={t('sheetOfFile')}
                  value={tableIndex}
                  options={tables.map(({ name }, index) => ({ value: String(index), label: name ?? '' }))}
                  onChange={(event) => setSelectedIndex(Number(event.target.value))}
                />
              )}
              {table && (
                <HeaderRows
                  key={tableIndex}
                  table={table}
                  value={resolveHeaderRow(tableIndex, table, fileOptions, lastConfig)}
                  lines={resolveHeaderLines(tableIndex, table, fileOptions, lastConfig)}
                  onChange={(row) => {
                    setFileOptions((all) => ({ ...all, headerRows: { ...all.headerRows, [tableIndex]: row } }))
                    extract.reset()
                  }}
                  onLinesChange={(lines) => {
                    setFileOptions((all) => ({ ...all, headerLines: { ...all.headerLines, [tableIndex]: lines } }))
                    extract.reset()
                  }}
                />
              )}
            </>
          )
        }}
      </QueryView>
      {extract.data ? (
        <ExtractionProgress spaceId={space.id} jobId={extract.data.id} onClose={onClose} onImport={onImport} />
      ) : (
        <div className="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            kind="primary"
            disabled={!preview.data?.tables.length || preview.isPlaceholderData}
            busy={extract.isPending}
            onClick={() => extract.mutate()}
          >
            {t('rereadFile')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function ExtractionProgress(props: { spaceId: string; jobId: string; onClose(): void; onImport(): void }) {
  const { spaceId, jobId, onClose, onImport } = props
  const i18n = useTranslation()
  const { t } = i18n
  const client = useQueryClient()
  const job = useQuery({
    ...jobQuery(jobId),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : 1000),
  })
  const [ready, setReady] = useState(false)
  const completed = job.data?.status === 'completed'
  useEffect(() => {
    if (!completed) return
    const keys = [
      ['files', spaceId],
      ['workbooks', spaceId],
    ]
    void Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))).then(() => setReady(true))
  }, [completed, client, spaceId])
  return (
    <>
      <div className="job-state" role="status">
        {job.data && <JobState job={job.data} />}
        <p dir="auto">{(job.data && describeJob(job.data, i18n)) || t('fileReading')}</p>
      </div>
      <div className="actions">
        <Button onClick={onClose}>{t('close')}</Button>
        {completed && (
          <Button kind="primary" busy={!ready} onClick={onImport}>
            {t('importData')}
          </Button>
        )}
      </div>
    </>
  )
}

type Translate = ReturnType<typeof useTranslation>['t']

const formatDelimiter = (delimiter: string, t: Translate): string =>
  delimiter in DELIMITERS ? t(DELIMITERS[delimiter as keyof typeof DELIMITERS]) : delimiter

const includeSelected = (options: readonly string[], selected: string): readonly string[] =>
  selected === '' || options.includes(selected) ? options : [...options, selected]
