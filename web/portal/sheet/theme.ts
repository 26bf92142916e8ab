/** Grid colors from the CSS variables of the app. The grid draws on a canvas, which needs resolved colors. */
import type { Theme } from '@glideapps/glide-data-grid'
import { useEffect, useState } from 'react'
import { watchColorScheme } from '../../shared/color-scheme.ts'

export interface GridTheme {
  grid: Partial<Theme>
  error: Partial<Theme>
  warn: Partial<Theme>
  info: Partial<Theme>
  locked: Partial<Theme>
  badge: { text: string; background: string; mark: string }
}

function readTheme(): GridTheme {
  const probe = document.body.appendChild(document.createElement('span'))
  const getColor = (name: string) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const theme = buildTheme(getColor, getComputedStyle(document.body).fontFamily)
  probe.remove()
  return theme
}

function buildTheme(getColor: (name: string) => string, fontFamily: string): GridTheme {
  return {
    grid: {
      accentColor: getColor('--accent'),
      // Transparent, so that a selected cell with an error still shows it.
      accentLight: withAlpha(getColor('--accent'), 0.14),
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
      fontFamily,
      cellHorizontalPadding: 8,
      cellVerticalPadding: 3,
    },
    error: { bgCell: getColor('--bad-soft'), textDark: getColor('--bad') },
    warn: { bgCell: getColor('--warn-soft') },
    info: { bgCell: getColor('--info-soft') },
    locked: { bgCell: getColor('--page'), textDark: getColor('--muted') },
    badge: { text: getColor('--bad'), background: getColor('--bad-soft'), mark: getColor('--accent') },
  }
}

const withAlpha = (color: string, alpha: number): string => color.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)

export function useGridTheme(): GridTheme {
  const [theme, setTheme] = useState(readTheme)
  useEffect(() => watchColorScheme(() => setTheme(readTheme())), [])
  return theme
}
