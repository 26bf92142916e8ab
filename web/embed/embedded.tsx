/** The importer inside of a frame: the page around it says which space, with which token, in which colours. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { spaceQuery } from '../portal/data.ts'
import { SpaceFrame } from '../portal/portal.tsx'
import { begin, expiryOf } from '../shared/api/session.ts'
import { LANGUAGES, type Language, useTexts } from '../shared/texts/texts.tsx'
import { Empty, Loading, Shown } from '../shared/ui/states.tsx'

interface Begin {
  type: 'wharf:begin'
  spaceId: string
  token: string
  theme?: Record<string, string>
  language?: string
}

const COLOURS = new Set(['accent', 'accent-strong', 'on-accent', 'page', 'surface', 'text', 'muted', 'line'])

/** Colours and a radius, nothing else a stylesheet could say. */
function dress(theme: Record<string, string>): void {
  const { style } = document.documentElement
  for (const [name, value] of Object.entries(theme)) {
    if (COLOURS.has(name) && CSS.supports('color', value)) style.setProperty(`--${name}`, value)
    if (name === 'radius' && CSS.supports('border-radius', value)) style.setProperty('--radius', value)
  }
}

export default function Embedded() {
  const { t, choose } = useTexts()
  const [spaceId, setSpaceId] = useState<string>()
  useEffect(() => {
    if (window.parent === window) return
    let embedder: string | undefined
    const heard = ({ source, origin, data }: MessageEvent<Begin | undefined>) => {
      if (source !== window.parent || data?.type !== 'wharf:begin') return
      // A page without an origin can only be answered as anybody.
      embedder = origin === 'null' ? '*' : origin
      dress(data.theme ?? {})
      if (data.language && Object.hasOwn(LANGUAGES, data.language)) choose(data.language as Language)
      const { token, spaceId } = data
      // Every request names the page around: the API refuses a page that the environment does not allow.
      begin({ token, kind: 'embedded', spaceId, embedder: origin, expiresAt: expiryOf(token) })
      setSpaceId(data.spaceId)
    }
    // The page around learns of nothing but that an action was performed.
    const submitted = ({ detail }: CustomEvent) =>
      embedder !== undefined && window.parent.postMessage({ type: 'wharf:submitted', ...detail }, embedder)
    addEventListener('message', heard)
    addEventListener('wharf:submitted', submitted as EventListener)
    window.parent.postMessage({ type: 'wharf:ready' }, '*')
    return () => {
      removeEventListener('message', heard)
      removeEventListener('wharf:submitted', submitted as EventListener)
    }
  }, [choose])
  if (window.parent === window) return <Empty title={t('pageMissing')} />
  return spaceId ? <Inside key={spaceId} spaceId={spaceId} /> : <Loading />
}

/** Its addresses are its own: the frame's stays what it is. */
function Inside({ spaceId }: { spaceId: string }) {
  const space = useQuery(spaceQuery(spaceId))
  const { hook } = useMemo(() => memoryLocation({ path: `/s/${spaceId}` }), [spaceId])
  return (
    <Router hook={hook}>
      <Shown of={space}>{(found) => <SpaceFrame space={found} embedded />}</Shown>
    </Router>
  )
}
