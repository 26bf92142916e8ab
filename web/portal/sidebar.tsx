/** The sidebar of a space: space switcher, navigation and people. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Activity, BookOpen, FileText, House, type LucideIcon, Share2, Sparkles, Table } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, unwrap } from '../shared/api/client.ts'
import { useSession } from '../shared/api/session.ts'
import { Brand } from '../shared/sign-in.tsx'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button, TextArea, TextField } from '../shared/ui/controls.tsx'
import { Dialog } from '../shared/ui/dialog.tsx'
import { Preferences } from '../shared/ui/preferences.tsx'
import { ErrorNotice } from '../shared/ui/states.tsx'
import { toast } from '../shared/ui/toast.tsx'
import { isAssistedQuery } from './assistant/data.ts'
import { hasOnlyClips } from './clips/clip-only-view.tsx'
import { isMerged } from './clips/data.ts'
import {
  clipsQuery,
  documentsQuery,
  guestsQuery,
  isTargetWorkbook,
  type Space,
  type Workbook,
  workbooksQuery,
} from './queries.ts'
import { SpaceChoice } from './space-choice.tsx'

export function Sidebar({ space, live, embedded }: { space: Space; live: boolean; embedded: boolean }) {
  const { t } = useTranslation()
  const session = useSession()
  const documents = useQuery(documentsQuery(space.id))
  const workbooks = useQuery(workbooksQuery(space.id))
  const home = `/s/${space.id}`
  const onlyClips = hasOnlyClips(workbooks.data)
  return (
    <>
      {!embedded && (
        <>
          <Brand />
          <SpaceChoice space={space} />
        </>
      )}
      <nav aria-label={t('navigation')}>
        {!onlyClips && (
          <>
            <SidebarLink to={home} label={t('overview')} Icon={House} exact />
            <SidebarLink to={`${home}/files`} label={t('files')} Icon={FileText} />
            <SidebarLink to={`${home}/activity`} label={t('activity')} Icon={Activity} />
            {session?.kind === 'user' && <AssistantLink space={space} />}
          </>
        )}
        {(documents.data ?? []).map((document) => (
          <SidebarLink
            key={document.id}
            to={`${home}/documents/${document.id}`}
            label={document.title}
            Icon={BookOpen}
          />
        ))}
        {(workbooks.data ?? []).filter(isTargetWorkbook).map((workbook) => (
          <Sheets key={workbook.id} home={home} workbook={workbook} />
        ))}
        <Clips space={space} home={home} workbooks={workbooks.data ?? []} />
      </nav>
      {!embedded && (
        <>
          {!onlyClips && <People space={space} />}
          <footer>
            <p className="hint">
              <span className={`dot ${live ? 'on' : ''}`} aria-hidden="true" /> {live ? t('liveOn') : t('liveOff')}
            </p>
            {session?.kind === 'user' && <Link href="/console">{t('console')}</Link>}
            <Preferences />
          </footer>
        </>
      )}
    </>
  )
}

function AssistantLink({ space }: { space: Space }) {
  const { t } = useTranslation()
  const isAssisted = useQuery(isAssistedQuery(space.environmentId)).data
  return isAssisted && <SidebarLink to={`/s/${space.id}/assistant`} label={t('assistant')} Icon={Sparkles} />
}

function SidebarLink({
  to,
  label,
  Icon,
  count,
  errors,
  note,
  exact = false,
}: {
  to: string
  label: string
  Icon: LucideIcon
  count?: number
  errors?: number
  note?: string
  exact?: boolean
}) {
  const [path] = useLocation()
  const { t, number } = useTranslation()
  const isCurrent = exact ? path === to : path.startsWith(to)
  return (
    <Link href={to} className="item" aria-current={isCurrent ? 'page' : undefined}>
      <Icon aria-hidden="true" />
      <span className="clip grow" dir="auto">
        {label}
      </span>
      {note && <span className="badge">{note}</span>}
      {errors ? (
        <span className="badge bad" title={t('errorCount', { count: errors })}>
          {number(errors)}
          <span className="visually-hidden"> {t('invalid')}</span>
        </span>
      ) : (
        count !== undefined && <span className="count">{number(count)}</span>
      )}
    </Link>
  )
}

function Sheets({ home, workbook }: { home: string; workbook: Workbook }) {
  return (
    <section>
      <h2 className="group" dir="auto">
        {workbook.name}
      </h2>
      {(workbook.sheets ?? []).map((sheet) => (
        <SidebarLink
          key={sheet.id}
          to={`${home}/sheets/${sheet.id}`}
          label={sheet.name}
          Icon={Table}
          count={sheet.recordCounts?.total}
          errors={sheet.recordCounts?.error}
        />
      ))}
    </section>
  )
}

function Clips({ space, home, workbooks }: { space: Space; home: string; workbooks: readonly Workbook[] }) {
  const { t } = useTranslation()
  const clips = useQuery(clipsQuery(space.id))
  if (!clips.data?.length) return null
  return (
    <section>
      <h2 className="group">{t('clips')}</h2>
      {clips.data.flatMap((clip) => {
        const sheets = workbooks.find(({ id }) => id === clip.workbookId)?.sheets ?? []
        return sheets.map((sheet) => (
          <SidebarLink
            key={sheet.id}
            to={`${home}/sheets/${sheet.id}`}
            Icon={Share2}
            label={sheet.id === clip.clipSheetId ? clip.name : `${clip.name}: ${sheet.name}`}
            note={sheet.id === clip.clipSheetId && isMerged(clip) ? t('clipMerged') : undefined}
            count={sheet.recordCounts?.total}
            errors={sheet.recordCounts?.error}
          />
        ))
      })}
    </section>
  )
}

function People({ space }: { space: Space }) {
  const { t } = useTranslation()
  const guests = useQuery(guestsQuery(space.id))
  const [inviting, setInviting] = useState(false)
  const people = guests.data ?? []
  return (
    <section className="people">
      <h2 className="group">{t('people')}</h2>
      <ul>
        {people.map((guest) => (
          <li key={guest.id}>
            <span className="avatar" aria-hidden="true">
              {(guest.name[0] ?? '?').toUpperCase()}
            </span>
            <span className="clip" title={guest.email} dir="auto">
              {guest.name}
            </span>
          </li>
        ))}
      </ul>
      {people.length === 0 && <p className="hint">{t('noGuests')}</p>}
      {space.mayInviteGuests && (
        <Button kind="ghost" onClick={() => setInviting(true)}>
          + {t('invite')}
        </Button>
      )}
      {inviting && <Invite space={space} onClose={() => setInviting(false)} />}
    </section>
  )
}

function Invite({ space, onClose }: { space: Space; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const session = useSession()
  const [form, setForm] = useState({ email: '', name: '', message: '' })
  const handleChange = (name: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value })
  const invite = useMutation({
    async mutationFn() {
      const body = [
        {
          environmentId: space.environmentId,
          email: form.email,
          name: form.name || form.email,
          spaces: [{ id: space.id }],
        },
      ]
      const { data } = await unwrap(api.POST('/api/v1/guests', { body }))
      const invitation = {
        guestId: data[0]!.id,
        spaceId: space.id,
        fromName: session?.email,
        message: form.message || undefined,
      }
      await unwrap(api.POST('/api/v1/invitations', { body: [invitation] }))
    },
    onSuccess() {
      toast(t('invited', { email: form.email }))
      void client.invalidateQueries({ queryKey: ['guests', space.id] })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate()
  }
  return (
    <Dialog title={t('invite')} onClose={onClose}>
      <form onSubmit={submit}>
        {invite.error && <ErrorNotice error={invite.error} />}
        <TextField label={t('email')} type="email" required value={form.email} onChange={handleChange('email')} />
        <TextField label={t('name')} value={form.name} onChange={handleChange('name')} />
        <TextArea label={t('message')} rows={3} value={form.message} onChange={handleChange('message')} />
        <div className="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={invite.isPending}>
            {t('sendInvite')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
