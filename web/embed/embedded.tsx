/** The importer inside an iframe. The embedding page sends space, token and theme in a message. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { SpaceFrame } from '../portal/portal.tsx'
import { spaceQuery } from '../portal/queries.ts'
import { parseExpiry, startSession } from '../shared/api/session.ts'
import { type ColorScheme, isColorScheme, showColorScheme } from '../shared/color-scheme.ts'
import { LANGUAGES, type Language, useTranslation } from '../shared/texts/texts.tsx'
import { Empty, Loading, QueryView } from '../shared/ui/states.tsx'

interface BeginMessage {
  type: 'wharf:begin'
  spaceId: string
  token: string
  theme?: Record<string, string>
  colorScheme?: string
  language?: string
}

const COLOR_VARIABLES = new Set(['accent', 'accent-strong', 'on-accent', 'page', 'surface', 'text', 'muted', 'line'])

function applyTheme(theme: Record<string, string>): void {
  const { style } = document.documentElement
  for (const [name, value] of Object.entries(theme)) {
    if (COLOR_VARIABLES.has(name) && CSS.supports('color', value)) style.setProperty(`--${name}`, value)
    if (name === 'radius' && CSS.supports('border-radius', value)) style.setProperty('--radius', value)
  }
}

/** Light text on a light surface could not be read, so the scheme follows the surface that the page has set. */
function findColorScheme({ surface, page }: Record<string, string>): ColorScheme {
  const color = surface ?? page
  if (color === undefined || !CSS.supports('color', color)) return 'system'
  const probe = document.body.appendChild(document.createElement('span'))
  probe.style.color = color
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).map(Number)
  probe.remove()
  return 0.299 * red + 0.587 * green + 0.114 * blue > 128 ? 'light' : 'dark'
}

export default function Embedded() {
  const { t, chooseLanguage } = useTranslation()
  const [spaceId, setSpaceId] = useState<string>()
  useEffect(() => {
    if (window.parent === window) return
    let embedder: string | undefined
    const handleMessage = ({ source, origin, data }: MessageEvent<BeginMessage | undefined>) => {
      if (source !== window.parent || data?.type !== 'wharf:begin') return
      embedder = origin === 'null' ? '*' : origin
      applyTheme(data.theme ?? {})
      showColorScheme(isColorScheme(data.colorScheme) ? data.colorScheme : findColorScheme(data.theme ?? {}))
      if (data.language && Object.hasOwn(LANGUAGES, data.language)) chooseLanguage(data.language as Language)
      const { token, spaceId } = data
      // The API rejects embedding pages that are not in the environment's `allowedOrigins`.
      startSession({ token, kind: 'embedded', spaceId, embedder: origin, expiresAt: parseExpiry(token) })
      setSpaceId(data.spaceId)
    }
    const forwardSubmitted = ({ detail }: CustomEvent) =>
      embedder !== undefined && window.parent.postMessage({ type: 'wharf:submitted', ...detail }, embedder)
    addEventListener('message', handleMessage)
    addEventListener('wharf:submitted', forwardSubmitted as EventListener)
    window.parent.postMessage({ type: 'wharf:ready' }, '*')
    return () => {
      removeEventListener('message', handleMessage)
      removeEventListener('wharf:submitted', forwardSubmitted as EventListener)
    }
  }, [chooseLanguage])
  if (window.parent === window) return <Empty title={t('pageMissing')} />
  return spaceId ? <EmbeddedSpace key={spaceId} spaceId={spaceId} /> : <Loading />
}

function EmbeddedSpace({ spaceId }: { spaceId: string }) {
  const space = useQuery(spaceQuery(spaceId))
  const { hook } = useMemo(() => memoryLocation({ path: `/s/${spaceId}` }), [spaceId])
  return (
    <Router hook={hook}>
      <QueryView query={space}>{(loadedSpace) => <SpaceFrame space={loadedSpace} embedded />}</QueryView>
    </Router>
  )
}
