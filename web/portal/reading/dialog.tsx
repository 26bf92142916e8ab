/** How a file is read: what was found, another choice, and the file read again by it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Failure, Shown } from '../../shared/ui/states.tsx'
import { beginningQuery, type File, hasEnded, type Job, jobQuery, type Space } from '../data.ts'
import { JobState } from '../jobs.tsx'
import { outcomeOf } from '../outcome.tsx'
import { type Choice, choiceOf, configOf, DELIMITERS, ENCODINGS, headerRowOf } from './choice.ts'
import { HeaderRows } from './rows.tsx'

interface Given {
  space: Space
  file: File
  /** The job by which it was read. */
  last: Job | undefined
  onClose(): void
  /** It was read again, and is to be imported. */
  onImport(): void
}

export function ReadingDialog({ space, file, last, onClose, onImport }: Given) {
  const { t } = useTexts()
  const client = useQueryClient()
  // As it was when the dialog was opened: the job that it begins is the next.
  const [before] = useState(() => choiceOf(last))
  const [choice, setChoice] = useState<Choice>({ ...before, headerRows: {} })
  const [told, setTold] = useState(before.config)
  const [shown, setShown] = useState(0)
  const found = useQuery({
    ...beginningQuery(file.id, choice.delimiter, choice.encoding),
    placeholderData: keepPreviousData,
  })
  const read = useMutation({
    async mutationFn() {
      const { kind, tables } = found.data!
      const config = configOf(kind, tables, choice, told)
      const body = {
        type: 'file',
        operation: 'extract',
        source: file.id,
        fileId: file.id,
        trigger: 'immediate',
      } as const
      return (await ask(api.POST('/api/v1/jobs', { body: { ...body, config } }))).data
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs', space.id] }),
  })
  /** Other cells: rows are chosen anew. */
  const change = (next: Partial<Choice>) => {
    setChoice((all) => ({ ...all, ...next, headerRows: {} }))
    setTold({})
    read.reset()
  }
  return (
    <Dialog wide title={t('howRead', { name: file.name })} onClose={onClose}>
      {read.error && <Failure error={read.error} />}
      <Shown of={found}>
        {({ kind, encoding, delimiter, tables }) => {
          const table = tables[shown] ?? tables[0]
          const at = table ? tables.indexOf(table) : 0
          return (
            <>
              {kind === 'text' && (
                <div className="inline">
                  <SelectField
                    label={t('delimiter')}
                    value={choice.delimiter}
                    options={[
                      { value: '', label: t('foundItself', { what: nameOf(delimiter ?? '', t) }) },
                      ...withChosen(Object.keys(DELIMITERS), choice.delimiter).map((value) => ({
                        value,
                        label: nameOf(value, t),
                      })),
                    ]}
                    onChange={(event) => change({ delimiter: event.target.value })}
                  />
                  <SelectField
                    label={t('encoding')}
                    value={choice.encoding}
                    options={[
                      { value: '', label: t('foundItself', { what: encoding ?? '' }) },
                      ...withChosen(ENCODINGS, choice.encoding).map((value) => ({ value, label: value })),
                    ]}
                    onChange={(event) => change({ encoding: event.target.value })}
                  />
                </div>
              )}
              {tables.length > 1 && (
                <SelectField
                  label={t('sheetOfFile')}
                  value={at}
                  options={tables.map(({ name }, place) => ({ value: String(place), label: name ?? '' }))}
                  onChange={(event) => setShown(Number(event.target.value))}
                />
              )}
              {table && (
                <HeaderRows
                  key={at}
                  table={table}
                  value={headerRowOf(at, table, choice, told)}
                  onChange={(row) => {
                    setChoice((all) => ({ ...all, headerRows: { ...all.headerRows, [at]: row } }))
                    read.reset()
                  }}
                />
              )}
            </>
          )
        }}
      </Shown>
      {read.data ? (
        <Reading spaceId={space.id} jobId={read.data.id} onClose={onClose} onImport={onImport} />
      ) : (
        <div className="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            kind="primary"
            disabled={!found.data?.tables.length || found.isPlaceholderData}
            busy={read.isPending}
            onClick={() => read.mutate()}
          >
            {t('readAgain')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

/** How far the file is read, and what then. */
function Reading(given: { spaceId: string; jobId: string; onClose(): void; onImport(): void }) {
  const { spaceId, jobId, onClose, onImport } = given
  const { t } = useTexts()
  const client = useQueryClient()
  const job = useQuery({
    ...jobQuery(jobId),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : 1000),
  })
  const [ready, setReady] = useState(false)
  const completed = job.data?.status === 'completed'
  useEffect(() => {
    if (!completed) return
    // The file has another workbook now: it is there before it is offered.
    const keys = [
      ['files', spaceId],
      ['workbooks', spaceId],
    ]
    void Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))).then(() => setReady(true))
  }, [completed, client, spaceId])
  const outcome = job.data ? outcomeOf(job.data) : undefined
  return (
    <>
      <div className="job-state" role="status">
        {job.data && <JobState job={job.data} />}
        <p dir="auto">{outcome?.message ?? job.data?.info ?? t('fileReading')}</p>
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

type Say = ReturnType<typeof useTexts>['t']

const nameOf = (delimiter: string, t: Say): string =>
  delimiter in DELIMITERS ? t(DELIMITERS[delimiter as keyof typeof DELIMITERS]) : delimiter

/** Also what was told before and is not offered. */
const withChosen = (offered: readonly string[], chosen: string): readonly string[] =>
  chosen === '' || offered.includes(chosen) ? offered : [...offered, chosen]
