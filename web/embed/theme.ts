/** Shows the importer in the colors and fonts of the embedding page. */
import type { ImporterTheme } from '../../packages/react/src/types.ts'
import { type ColorScheme, isColorScheme, showColorScheme } from '../shared/color-scheme.ts'
import type { BeginMessage, FontFile } from './protocol.ts'

const PROPERTIES: Record<keyof ImporterTheme, string> = {
  accent: 'color',
  'accent-strong': 'color',
  'on-accent': 'color',
  page: 'color',
  surface: 'color',
  text: 'color',
  muted: 'color',
  line: 'color',
  radius: 'border-radius',
  font: 'font-family',
}

/** Returns the resulting colors, for the parts of the importer outside the frame. */
export function showTheme({ theme = {}, fonts = [], colorScheme }: BeginMessage) {
  const { style } = document.documentElement
  for (const [name, value] of Object.entries(theme)) {
    const property = Object.hasOwn(PROPERTIES, name) && PROPERTIES[name as keyof ImporterTheme]
    if (property && CSS.supports(property, value)) style.setProperty(`--${name}`, value)
  }
  for (const font of fonts) void addFont(font)
  showColorScheme(isColorScheme(colorScheme) ? colorScheme : findColorScheme(theme))
  const [background, color] = resolveColors('var(--surface)', 'var(--text)')
  return { background: background!, color: color! }
}

async function addFont({ family, weight, style, bytes }: FontFile): Promise<void> {
  const face = new FontFace(family, bytes, { ...(weight && { weight }), ...(style && { style }) })
  await face.load().then(
    () => document.fonts.add(face),
    () => console.warn(`The font ${family} has an unknown format.`),
  )
}

function resolveColors(...colors: string[]): string[] {
  const probe = document.body.appendChild(document.createElement('span'))
  const resolved = colors.map((color) => {
    probe.style.color = color
    return getComputedStyle(probe).color
  })
  probe.remove()
  return resolved
}

/** Light text on a light surface could not be read, so the scheme follows the surface that the page has set. */
function findColorScheme({ surface, page }: ImporterTheme): ColorScheme {
  const color = surface ?? page
  if (color === undefined || !CSS.supports('color', color)) return 'system'
  const [red = 0, green = 0, blue = 0] = (resolveColors(color)[0]!.match(/[\d.]+/g) ?? []).map(Number)
  return 0.299 * red + 0.587 * green + 0.114 * blue > 128 ? 'light' : 'dark'
}
