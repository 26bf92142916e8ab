import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { buildSessionHeaders, getSignedInId } from '../../shared/api/session.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import './presence.css'

const REPORT_MS = 15_000
const MAX_SHOWN = 4

const getInitials = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0] ?? '').join('')
}

/** `keepalive`, because the page may be closing. */
const leave = (spaceId: string): void =>
  void fetch(`/api/v1/spaces/${spaceId}/presence`, {
    method: 'POST',
    keepalive: true,
    headers: { ...buildSessionHeaders(), 'content-type': 'application/json' },
    body: JSON.stringify({ left: true }),
  }).catch(() => undefined)

export function Presence({ spaceId, sheetId }: { spaceId: string; sheetId: string }) {
  const { t } = useTranslation()
  const present = useQuery({
    queryKey: ['presence', spaceId, sheetId],
    refetchInterval: REPORT_MS,
    refetchOnWindowFocus: true,
    staleTime: 0,
    retry: false,
    async queryFn() {
      const params = { path: { spaceId } }
      return (await unwrap(api.POST('/api/v1/spaces/{spaceId}/presence', { params, body: { sheetId } }))).data
    },
  })
  useEffect(() => {
    const handleLeave = () => leave(spaceId)
    addEventListener('pagehide', handleLeave)
    return () => {
      removeEventListener('pagehide', handleLeave)
      handleLeave()
    }
  }, [spaceId])
  const others = (present.data ?? []).filter(({ actorId }) => actorId !== getSignedInId())
  if (others.length === 0) return null
  const names = others.map(({ name }) => name).join(', ')
  return (
    <div className="presence" role="img" aria-label={t('alsoHere', { names })} title={t('alsoHere', { names })}>
      {others.slice(0, MAX_SHOWN).map(({ actorId, name, sheetId: at }) => (
        <span key={actorId} className={`avatar ${at === sheetId ? 'here' : ''}`} aria-hidden="true">
          {getInitials(name).toUpperCase()}
        </span>
      ))}
      {others.length > MAX_SHOWN && <span className="hint">+{others.length - MAX_SHOWN}</span>}
    </div>
  )
}
