import { useEffect } from 'react'
import { buildBrandVariables, readBranding } from '../shared/branding.ts'
import './branding.css'

export function useBrandColor(metadata: unknown, isEmbedded: boolean): void {
  const { color } = readBranding(metadata)
  useEffect(() => {
    if (!color || isEmbedded) return
    const { style } = document.documentElement
    const variables = buildBrandVariables(color)
    for (const [name, value] of Object.entries(variables)) style.setProperty(name, value)
    return () => {
      for (const name of Object.keys(variables)) style.removeProperty(name)
    }
  }, [color, isEmbedded])
}

export function Welcome({ metadata }: { metadata: unknown }) {
  const { logo, welcome } = readBranding(metadata)
  if (!logo && !welcome) return null
  return (
    <div className="welcome">
      {logo && <img src={logo} alt="" />}
      {welcome && <p dir="auto">{welcome}</p>}
    </div>
  )
}
