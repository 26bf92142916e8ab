/** The timeline of a space: who uploaded, imported, edited and submitted. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download, type LucideIcon, Pencil, Play, Plus, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { getSignedInId } from '../../shared/api/session.ts'
import { type I18n, useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Empty, QueryView } from '../../shared/ui/states.tsx'
import {
  type Action,
  actionsQuery,
  filesQuery,
  getSheets,
  guestsQuery,
  isTargetWorkbook,
  type Space,
  workbooksQuery,
} from '../queries.ts'
import { type Entry, fetchActivity } from './entries.ts'
import './activity.css'

const STEP = 50

export default function ActivityPage({ space }: { space: Space }) {
  const { t } = useTranslation()
  const [size, setSize] = useState(STEP)
  const activity = useQuery({
    queryKey: ['activity', space.id, size],
    queryFn: () => fetchActivity(space.id, size),
    placeholderData: keepPreviousData,
  })
  const describe = useDescriptions(space)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('activity')}</h1>
      </header>
      <QueryView query={activity}>
        {({ entries, hasMore }) => {
          const described = entries.flatMap((entry) => {
            const text = describe(entry)
            return text === undefined ? [] : [{ entry, text }]
          })
          if (described.length === 0 && !hasMore) return <Empty title={t('noActivity')} />
          return (
            <>
              <ol className="activity">
                {described.map(({ entry, text }) => (
                  <ActivityEntry key={entry.id} space={space} entry={entry} text={text} />
                ))}
              </ol>
              {hasMore && (
                <div>
                  <Button busy={activity.isPlaceholderData} onClick={() => setSize((count) => count + STEP)}>
                    {t('showMore')}
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </QueryView>
    </div>
  )
}

const ICONS: Record<Entry['kind'], LucideIcon> = {
  uploaded: Upload,
  created: Plus,
  updated: Pencil,
  deleted: Trash2,
  ran: Play,
}

function ActivityEntry({ space, entry, text }: { space: Space; entry: Entry; text: string }) {
  const i18n = useTranslation()
  const guests = useQuery(guestsQuery(space.id)).data ?? []
  const name = guests.find(({ id }) => id === entry.actorId)?.name
  const Icon = entry.kind === 'ran' && entry.operation === 'export' ? Download : ICONS[entry.kind]
  return (
    <li>
      <Icon aria-hidden="true" />
      <p>
        <strong>
          <bdi>{nameActor(entry.actorId, name, i18n)}</bdi>
        </strong>{' '}
        <bdi>{text}</bdi>
      </p>
      <time className="hint" dateTime={entry.at} title={i18n.date(entry.at)}>
        {i18n.ago(entry.at)}
      </time>
    </li>
  )
}

function nameActor(actorId: string, guestName: string | undefined, { t }: I18n): string {
  if (actorId === getSignedInId()) return t('activityYou')
  if (guestName) return guestName
  if (actorId.startsWith('us_g_')) return t('guestActor')
  return actorId.startsWith('us_usr_') ? t('teamMember') : t('automation')
}

/** Entries about deleted files and sheets have no name, and are left out. */
function useDescriptions(space: Space): (entry: Entry) => string | undefined {
  const { t } = useTranslation()
  const files = useQuery(filesQuery(space.id)).data ?? []
  const workbooks = (useQuery(workbooksQuery(space.id)).data ?? []).filter(isTargetWorkbook)
  const sheets = getSheets(workbooks)
  const standalone = useQuery(actionsQuery(space.id)).data ?? []
  const actions: Action[] = [
    ...(space.actions ?? []),
    ...workbooks.flatMap((workbook) => workbook.actions ?? []),
    ...sheets.flatMap(({ config }) => (config.actions ?? []) as Action[]),
    ...standalone,
  ]
  return (entry) => {
    if (entry.kind === 'uploaded') {
      const name = files.find(({ id }) => id === entry.fileId)?.name
      return name && t('activityUploaded', { name })
    }
    if (entry.kind === 'ran') {
      if (entry.operation === 'export') return t('activityExported')
      const name = actions.find(({ operation, slug }) => (operation ?? slug) === entry.operation)?.label
      return name && t('activityRan', { name })
    }
    const sheet = sheets.find(({ id }) => id === entry.sheetId)?.name
    return sheet && t(CHANGES[entry.kind], { count: entry.count, sheet })
  }
}

const CHANGES = { created: 'activityAdded', updated: 'activityEdited', deleted: 'activityDeleted' } as const
