export interface Branding {
  color?: string | undefined
  logo?: string | undefined
  welcome?: string | undefined
}

type Metadata = {
  theme?: { root?: { primaryColor?: unknown }; sidebar?: { logo?: unknown } } | null
  welcome?: { text?: unknown } | null
}

const COLOR = /^#[0-9a-f]{6}$/i
const LOGO = /^data:image\/(png|jpeg|webp|gif|svg\+xml);base64,/

export function readBranding(metadata: unknown): Branding {
  const { theme, welcome } = (metadata ?? {}) as Metadata
  const [color, logo, text] = [theme?.root?.primaryColor, theme?.sidebar?.logo, welcome?.text]
  return {
    color: typeof color === 'string' && COLOR.test(color) ? color : undefined,
    logo: typeof logo === 'string' && LOGO.test(logo) ? logo : undefined,
    welcome: typeof text === 'string' && text !== '' ? text : undefined,
  }
}

interface BrandedSpace {
  metadata?: unknown
  branding?: { primaryColor?: string; logo?: string; welcomeText?: string }
}

/** Its own branding, otherwise that of its environment. */
export const readSpaceBranding = ({ metadata, branding }: BrandedSpace): Branding =>
  branding
    ? readBranding({
        theme: { root: { primaryColor: branding.primaryColor }, sidebar: { logo: branding.logo } },
        welcome: { text: branding.welcomeText },
      })
    : readBranding(metadata)

export function withBranding(metadata: unknown, { color, logo, welcome }: Branding): Record<string, unknown> {
  const { theme, welcome: previousWelcome, ...others } = (metadata ?? {}) as Metadata & Record<string, unknown>
  const { root, sidebar, ...otherTheme } = theme ?? {}
  const nextTheme = withoutEmpty({
    ...otherTheme,
    root: withoutEmpty({ ...root, primaryColor: color }),
    sidebar: withoutEmpty({ ...sidebar, logo }),
  })
  const nextWelcome = withoutEmpty({ ...previousWelcome, text: welcome })
  return { ...others, ...(nextTheme ? { theme: nextTheme } : {}), ...(nextWelcome ? { welcome: nextWelcome } : {}) }
}

function withoutEmpty(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined && one !== '')
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

const LINEAR_LIMIT = 0.04045

function getLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= LINEAR_LIMIT ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const LIGHT_SURFACE = '#ffffff'
const DARK_SURFACE = '#181e24'
const READABLE = 4.5
const STEPS = 20

const getContrast = (a: string, b: string): number => {
  const [dark, light] = [getLuminance(a), getLuminance(b)].sort((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const DARK_TEXT = '#101418'

export const getTextColor = (color: string): string =>
  getContrast(color, DARK_TEXT) > getContrast(color, LIGHT_SURFACE) ? DARK_TEXT : LIGHT_SURFACE

function mix(color: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [color, other].map((one) => Number.parseInt(one.slice(at, at + 2), 16)) as [number, number]
    return Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}

function makeReadable(color: string, surface: string): string {
  const target = surface === LIGHT_SURFACE ? '#000000' : '#ffffff'
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, target, step / STEPS)
    if (getContrast(mixed, surface) >= READABLE) return mixed
  }
  return target
}

export function buildBrandVariables(color: string): Record<`--${string}`, string> {
  const [light, dark] = [makeReadable(color, LIGHT_SURFACE), makeReadable(color, DARK_SURFACE)]
  return {
    '--accent': `light-dark(${light}, ${dark})`,
    '--accent-strong': `light-dark(${mix(light, '#000000', 0.2)}, ${mix(dark, '#ffffff', 0.2)})`,
    '--on-accent': `light-dark(${getTextColor(light)}, ${getTextColor(dark)})`,
    '--selected': `light-dark(${mix(light, LIGHT_SURFACE, 0.88)}, ${mix(dark, DARK_SURFACE, 0.82)})`,
  }
}
