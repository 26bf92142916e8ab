/** The grid in the colours of the application, light or dark. */
import type { Theme } from '@glideapps/glide-data-grid'
import { useEffect, useState } from 'react'

const DARK = '(prefers-color-scheme: dark)'

export interface GridTheme {
  grid: Partial<Theme>
  error: Partial<Theme>
  warn: Partial<Theme>
  info: Partial<Theme>
  locked: Partial<Theme>
}

function read(): GridTheme {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const font = colour('--font')
  return {
    grid: {
      accentColor: colour('--accent'),
      accentLight: colour('--selected'),
      accentFg: colour('--on-accent'),
      textDark: colour('--text'),
      textMedium: colour('--muted'),
      textLight: colour('--muted'),
      textHeader: colour('--muted'),
      textHeaderSelected: colour('--on-accent'),
      textGroupHeader: colour('--muted'),
      bgCell: colour('--surface'),
      bgCellMedium: colour('--page'),
      bgHeader: colour('--page'),
      bgHeaderHasFocus: colour('--selected'),
      bgHeaderHovered: colour('--selected'),
      borderColor: colour('--line'),
      horizontalBorderColor: colour('--line'),
      drilldownBorder: colour('--line'),
      linkColor: colour('--accent'),
      bgSearchResult: colour('--warn-soft'),
      baseFontStyle: '13px',
      headerFontStyle: '600 12px',
      editorFontSize: '13px',
      fontFamily: font,
      cellHorizontalPadding: 8,
      cellVerticalPadding: 3,
    },
    error: { bgCell: colour('--bad-soft'), textDark: colour('--bad') },
    warn: { bgCell: colour('--warn-soft') },
    info: { bgCell: colour('--info-soft') },
    locked: { bgCell: colour('--page'), textDark: colour('--muted') },
  }
}

export function useGridTheme(): GridTheme {
  const [theme, setTheme] = useState(read)
  useEffect(() => {
    const media = matchMedia(DARK)
    const change = () => setTheme(read())
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [])
  return theme
}
