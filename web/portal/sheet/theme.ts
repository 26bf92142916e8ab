/** Grid colors from the CSS variables of the app, for light and dark mode. */
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

function readTheme(): GridTheme {
  const style = getComputedStyle(document.documentElement)
  const getColor = (name: string) => style.getPropertyValue(name).trim()
  const font = getColor('--font')
  return {
    grid: {
      accentColor: getColor('--accent'),
      accentLight: getColor('--selected'),
      accentFg: getColor('--on-accent'),
      textDark: getColor('--text'),
      textMedium: getColor('--muted'),
      textLight: getColor('--muted'),
      textHeader: getColor('--muted'),
      textHeaderSelected: getColor('--on-accent'),
      textGroupHeader: getColor('--muted'),
      bgCell: getColor('--surface'),
      bgCellMedium: getColor('--page'),
      bgHeader: getColor('--page'),
      bgHeaderHasFocus: getColor('--selected'),
      bgHeaderHovered: getColor('--selected'),
      borderColor: getColor('--line'),
      horizontalBorderColor: getColor('--line'),
      drilldownBorder: getColor('--line'),
      linkColor: getColor('--accent'),
      bgSearchResult: getColor('--warn-soft'),
      baseFontStyle: '13px',
      headerFontStyle: '600 12px',
      editorFontSize: '13px',
      fontFamily: font,
      cellHorizontalPadding: 8,
      cellVerticalPadding: 3,
    },
    error: { bgCell: getColor('--bad-soft'), textDark: getColor('--bad') },
    warn: { bgCell: getColor('--warn-soft') },
    info: { bgCell: getColor('--info-soft') },
    locked: { bgCell: getColor('--page'), textDark: getColor('--muted') },
  }
}

export function useGridTheme(): GridTheme {
  const [theme, setTheme] = useState(readTheme)
  useEffect(() => {
    const media = matchMedia(DARK)
    const change = () => setTheme(readTheme())
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [])
  return theme
}
