/**
 * `<wharf-importer publishable-key="pk_...">` embeds the importer in any page, as an iframe. Built to
 * `/wharf-importer.js` without imports. The embedding page creates the space, so `allowedOrigins` apply; the token
 * never appears in a URL.
 */

export type ImporterTheme = Partial<
  Record<'accent' | 'accent-strong' | 'on-accent' | 'page' | 'surface' | 'text' | 'muted' | 'line' | 'radius', string>
>

export interface ImporterOptions {
  publishableKey: string
  url?: string
  spaceName?: string
  /** Passed to listeners and agents as `metadata.blueprint`, for configuring the space. */
  blueprint?: unknown
  metadata?: Record<string, unknown>
  theme?: ImporterTheme
  /** Without it, a theme that sets `page` or `surface` decides, and otherwise the operating system. */
  colorScheme?: ColorScheme
  language?: string
}

export type ColorScheme = 'light' | 'dark' | 'system'

export interface ImporterEvents {
  submitted: { spaceId: string; jobId: string; operation: string }
  closed: { spaceId?: string }
  error: { message: string }
}

const SCRIPT_ORIGIN = new URL(import.meta.url).origin
const CSS = `
:host { display: contents }
dialog { width: min(1200px, 96vw); height: min(860px, 94vh); padding: 0; border: 0; border-radius: 10px; overflow: hidden;
  box-shadow: 0 12px 48px rgb(0 0 0 / 30%) }
dialog[open] { display: grid; grid-template-rows: 44px minmax(0, 1fr) }
dialog::backdrop { background: rgb(10 20 30 / 50%) }
header { display: flex; align-items: center; justify-content: space-between; padding-inline: 16px 6px;
  font: 600 14px system-ui, sans-serif }
iframe { width: 100%; height: 100%; border: 0; display: block }
button { width: 32px; height: 32px; border: 0; border-radius: 6px; background: transparent; color: inherit;
  font: inherit; cursor: pointer }
`

interface CreatedSpace {
  id: string
  accessToken: string
}

export class WharfImporter extends HTMLElement {
  static observedAttributes = ['open']
  // Declared only: a field would overwrite what a page has set before this script was loaded.
  declare blueprint: unknown
  declare metadata: Record<string, unknown> | undefined
  declare theme: ImporterTheme | undefined
  #dialog: HTMLDialogElement | undefined
  #space: CreatedSpace | undefined
  #opening: Promise<void> | undefined
  #answer = (event: MessageEvent) => this.#heard(event)

  get url(): string {
    return (this.getAttribute('url') ?? SCRIPT_ORIGIN).replace(/\/+$/, '')
  }

  get spaceId(): string | undefined {
    return this.#space?.id
  }

  attributeChangedCallback(_name: string, _before: string | null, value: string | null): void {
    if (value === null) this.close()
    else if (this.isConnected) void this.open()
  }

  connectedCallback(): void {
    if (this.hasAttribute('open')) void this.open()
  }

  disconnectedCallback(): void {
    this.close()
  }

  open(): Promise<void> {
    if (this.#dialog) return Promise.resolve()
    this.#opening ??= this.#openOnce().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  close(): void {
    if (!this.#dialog) return
    removeEventListener('message', this.#answer)
    this.#dialog.remove()
    this.#dialog = undefined
    this.removeAttribute('open')
    this.#emit('closed', { spaceId: this.#space?.id })
  }

  async #openOnce(): Promise<void> {
    try {
      this.#space ??= await this.#make()
      this.#show()
    } catch (error) {
      this.#emit('error', { message: (error as Error).message })
    }
  }

  async #make(): Promise<CreatedSpace> {
    const response = await fetch(`${this.url}/api/v1/spaces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.getAttribute('publishable-key')}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: this.getAttribute('space-name') ?? 'Import',
        autoConfigure: true,
        metadata: { ...this.metadata, ...(this.blueprint === undefined ? {} : { blueprint: this.blueprint }) },
      }),
    })
    const result = (await response.json()) as { data?: CreatedSpace; errors?: { message: string }[] }
    if (result.data) return result.data
    throw new Error(result.errors?.map(({ message }) => message).join(' ') ?? `HTTP ${response.status}`)
  }

  #show(): void {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(CSS)
    shadow.adoptedStyleSheets = [sheet]
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', this.getAttribute('space-name') ?? 'Import')
    const frame = document.createElement('iframe')
    frame.src = `${this.url}/embed`
    frame.title = this.getAttribute('space-name') ?? 'Import'
    const header = document.createElement('header')
    header.append(Object.assign(document.createElement('span'), { textContent: frame.title }))
    const close = document.createElement('button')
    close.type = 'button'
    close.textContent = '✕'
    close.setAttribute('aria-label', this.getAttribute('close-label') ?? 'Close')
    close.addEventListener('click', () => this.close())
    header.append(close)
    dialog.append(header, frame)
    dialog.addEventListener('close', () => this.close())
    shadow.append(dialog)
    this.#dialog = dialog
    addEventListener('message', this.#answer)
    dialog.showModal()
  }

  #heard({ source, origin, data }: MessageEvent): void {
    const frame = this.#dialog?.querySelector('iframe')
    if (!frame || source !== frame.contentWindow || origin !== new URL(this.url).origin) return
    if (data?.type === 'wharf:ready')
      frame.contentWindow!.postMessage(
        {
          type: 'wharf:begin',
          spaceId: this.#space!.id,
          token: this.#space!.accessToken,
          theme: this.theme ?? {},
          colorScheme: this.getAttribute('color-scheme') ?? undefined,
          language: this.getAttribute('language') ?? undefined,
        },
        origin,
      )
    if (data?.type === 'wharf:submitted')
      this.#emit('submitted', {
        spaceId: this.#space!.id,
        jobId: String(data.jobId),
        operation: String(data.operation),
      })
  }

  #emit<Name extends keyof ImporterEvents>(name: Name, detail: ImporterEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }))
  }
}

if (!customElements.get('wharf-importer')) customElements.define('wharf-importer', WharfImporter)

/** Opens the importer from code. Closing the returned element removes it from the page. */
export function openImporter(
  options: ImporterOptions,
  listeners: { [Name in keyof ImporterEvents]?: (detail: ImporterEvents[Name]) => void } = {},
): WharfImporter {
  const element = document.createElement('wharf-importer') as WharfImporter
  element.setAttribute('publishable-key', options.publishableKey)
  if (options.url) element.setAttribute('url', options.url)
  if (options.spaceName) element.setAttribute('space-name', options.spaceName)
  if (options.language) element.setAttribute('language', options.language)
  if (options.colorScheme) element.setAttribute('color-scheme', options.colorScheme)
  Object.assign(element, { blueprint: options.blueprint, metadata: options.metadata, theme: options.theme })
  for (const [name, listener] of Object.entries(listeners))
    element.addEventListener(name, (event) => (listener as (detail: unknown) => void)((event as CustomEvent).detail))
  element.addEventListener('closed', () => element.remove())
  document.body.append(element)
  void element.open()
  return element
}
