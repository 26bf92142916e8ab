/** How a space looks to its guests: `theme` and `welcome` in the metadata of the space. Pure. */
export interface Branding {
  /** Six hexadecimal digits after `#`. */
  color?: string | undefined
  /** A data URL, because pages load images from nowhere else. */
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

/** Keeps all other metadata and themes. */
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

/** Of black and white, the text color with more contrast on the color. */
export const getTextColor = (color: string): string =>
  (getLuminance(color) + 0.05) ** 2 > 1.05 * 0.05 ? '#101418' : '#ffffff'
