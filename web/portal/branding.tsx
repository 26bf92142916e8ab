import { useEffect } from 'react'
import { buildBrandVariables, readSpaceBranding } from '../shared/branding.ts'
import type { Space } from './queries.ts'
import './branding.css'

export function useBrandColor(space: Space, isEmbedded: boolean): void {
  const { color } = readSpaceBranding(space)
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

export function Welcome({ space }: { space: Space }) {
  const { logo, welcome } = readSpaceBranding(space)
  if (!logo && !welcome) return null
  return (
    <div className="welcome">
      {logo && <img src={logo} alt="" />}
      {welcome && <p dir="auto">{welcome}</p>}
    </div>
  )
}
