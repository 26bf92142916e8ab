/** The importer inside an iframe. The embedding page sends space, token and theme in a message. */
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { SpaceFrame } from '../portal/portal.tsx'
import { filesQuery, getSheets, isTargetWorkbook, type Space, spaceQuery, workbooksQuery } from '../portal/queries.ts'
import { useUploads } from '../portal/uploads.ts'
import { parseExpiry, startSession, useSession } from '../shared/api/session.ts'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Confirm } from '../shared/ui/dialog.tsx'
import { Empty, Loading, QueryView } from '../shared/ui/states.tsx'
import { listenToPage, postToPage } from './page-link.ts'
import type { BeginMessage } from './protocol.ts'
import { useSubmissions } from './submissions.ts'
import { showTheme } from './theme.ts'

const isInFrame = window.parent !== window

export default function Embedded() {
  const { t } = useTranslation()
  const session = useSession()
  const [begin, setBegin] = useState<BeginMessage>()
  const [requests, setRequests] = useState({ leave: 0, report: 0 })
  useEffect(() => {
    if (!isInFrame) return
    return listenToPage((message, origin) => {
      if (message.type === 'wharf:leave') return setRequests((all) => ({ ...all, leave: all.leave + 1 }))
      if (message.type === 'wharf:hidden') return setRequests((all) => ({ ...all, report: all.report + 1 }))
      const { token, spaceId } = message
      // The API rejects embedding pages that are not in the environment's `allowedOrigins`.
      startSession({ token, kind: 'embedded', spaceId, embedder: origin, expiresAt: parseExpiry(token) })
      postToPage({ type: 'wharf:shown', ...showTheme(message) })
      setBegin(message)
    })
  }, [])
  const hasEnded = begin !== undefined && !session
  useEffect(() => {
    if (hasEnded) postToPage({ type: 'wharf:ended' })
  }, [hasEnded])
  if (!isInFrame) return <Empty title={t('pageMissing')} />
  if (!begin) return <Loading />
  if (hasEnded) return <Empty title={t('importerEnded')} />
  return <EmbeddedSpace key={begin.spaceId} begin={begin} requests={requests} />
}

/** How often the page has asked to leave, and for a report of the running submissions. */
interface Requests {
  leave: number
  report: number
}

interface EmbeddedSpaceProps {
  begin: BeginMessage
  requests: Requests
}

function EmbeddedSpace({ begin: { spaceId, mode, stayOpen = false }, requests }: EmbeddedSpaceProps) {
  const space = useQuery(spaceQuery(spaceId))
  const { hook } = useMemo(() => memoryLocation({ path: `/s/${spaceId}` }), [spaceId])
  return (
    <Router hook={hook}>
      <QueryView query={space}>
        {(loadedSpace) => (
          <>
            <SpaceFrame space={loadedSpace} embedded={mode === 'wizard' ? 'wizard' : 'full'} />
            <Leaving space={loadedSpace} stayOpen={stayOpen} requests={requests} />
          </>
        )}
      </QueryView>
    </Router>
  )
}

/** Asks before the importer is closed with work that was not submitted. */
function Leaving({ space, stayOpen, requests }: { space: Space; stayOpen: boolean; requests: Requests }) {
  const { t } = useTranslation()
  const { uploads } = useUploads(space.id)
  const files = useQuery(filesQuery(space.id)).data ?? []
  const sheets = getSheets((useQuery(workbooksQuery(space.id)).data ?? []).filter(isTargetWorkbook))
  const records = sheets.reduce((total, { recordCounts }) => total + (recordCounts?.total ?? 0), 0)
  const work = `${files.length} ${records}`
  const latest = useRef({ work, hasUploads: uploads.length > 0 })
  latest.current = { work, hasUploads: uploads.length > 0 }
  const submittedWork = useRef('0 0')
  const [isAsking, setIsAsking] = useState(false)
  const onSubmitted = useCallback(() => {
    submittedWork.current = latest.current.work
    setIsAsking(false)
  }, [])
  const submissions = useSubmissions({ spaceId: space.id, stayOpen, onSubmitted })
  const leave = useCallback(() => {
    const isFinished = submissions.isRunning() || latest.current.work === submittedWork.current
    if (isFinished && !latest.current.hasUploads) return postToPage({ type: 'wharf:close' })
    postToPage({ type: 'wharf:asking' })
    setIsAsking(true)
  }, [submissions])
  useEffect(() => {
    if (requests.leave > 0) leave()
  }, [requests.leave, leave])
  useEffect(() => {
    if (requests.report > 0) submissions.report()
  }, [requests.report, submissions])
  useEscape(leave)
  if (!isAsking) return null
  return (
    <Confirm
      title={t('closeImporter')}
      text={uploads.length > 0 ? t('closeUploading') : t('closeUnsubmitted')}
      action={t('close')}
      onConfirm={() => {
        setIsAsking(false)
        postToPage({ type: 'wharf:close' })
      }}
      onClose={() => setIsAsking(false)}
    />
  )
}

const ESCAPE_USERS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
const ESCAPE_TARGETS = 'input, select, textarea, [contenteditable], [role=grid], canvas'

/** Dialogs, menus, fields and the grid use Escape themselves. The capture phase sees them before they are gone. */
function useEscape(leave: () => void): void {
  useEffect(() => {
    const handleKey = ({ key, target }: KeyboardEvent) => {
      if (key !== 'Escape' || document.querySelector(ESCAPE_USERS)) return
      if (!(target instanceof Element && target.closest(ESCAPE_TARGETS))) leave()
    }
    addEventListener('keydown', handleKey, true)
    return () => removeEventListener('keydown', handleKey, true)
  }, [leave])
}
