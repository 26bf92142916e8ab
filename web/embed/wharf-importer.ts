/**
 * `<wharf-importer publishable-key="pk_...">` opens the importer over any page, in an iframe. Built to
 * `/wharf-importer.js` without imports. The embedding page creates the space, so `allowedOrigins` apply; the token
 * never appears in a URL.
 */
import type {
  ImporterElement,
  ImporterEvents,
  ImporterFont,
  ImporterListeners,
  ImporterOptions,
  ImporterResult,
  ImporterSpace,
  ImporterTheme,
} from '../../packages/react/src/types.ts'
import { type Settings, Visit } from './visit.ts'

const SCRIPT_ORIGIN = new URL(import.meta.url).origin

export class WharfImporter extends HTMLElement implements ImporterElement {
  static observedAttributes = ['open']
  // Declared only: a field would overwrite what a page has set before this script was loaded.
  declare space: ImporterSpace | undefined
  declare blueprint: unknown
  declare metadata: Record<string, unknown> | undefined
  declare theme: ImporterTheme | undefined
  declare fonts: readonly ImporterFont[] | undefined
  #listeners: ImporterListeners = {}
  #creation: Promise<ImporterSpace> | undefined
  #visit: Visit | undefined

  get url(): string {
    return new URL(this.getAttribute('url') ?? SCRIPT_ORIGIN, location.href).href.replace(/\/+$/, '')
  }

  attributeChangedCallback(_name: string, _before: string | null, value: string | null): void {
    if (value === null) this.close()
    else if (this.isConnected) void this.open()
  }

  connectedCallback(): void {
    if (this.hasAttribute('open')) void this.open()
  }

  /** An element that is moved within the page is connected again in the same task. */
  disconnectedCallback(): void {
    queueMicrotask(() => this.isConnected || this.close())
  }

  configure(options: ImporterOptions, listeners: ImporterListeners = {}): void {
    const { space, blueprint, metadata, theme, fonts } = options
    Object.assign(this, { space, blueprint, metadata, theme, fonts })
    this.#listeners = listeners
    const attributes: Record<string, string | undefined> = {
      'publishable-key': options.publishableKey,
      url: options.url,
      'space-name': options.spaceName,
      'color-scheme': options.colorScheme,
      language: options.language,
      mode: options.mode,
      'stay-open': options.stayOpen ? '' : undefined,
    }
    for (const [name, value] of Object.entries(attributes))
      if (value === undefined) this.removeAttribute(name)
      else this.setAttribute(name, value)
  }

  open(): Promise<ImporterResult> {
    if (this.#visit) this.#visit.show()
    this.#visit ??= this.#startVisit()
    return this.#visit.result
  }

  close(): void {
    this.#visit?.hide()
  }

  #startVisit(): Visit {
    const visit: Visit = new Visit({
      readSettings: () => this.#readSettings(),
      creation: this.#creation,
      emit: (name, detail) => this.#emit(name, detail),
      onEnd: (isSubmitted) => {
        this.#visit = undefined
        this.#creation = isSubmitted ? undefined : visit.creation
        this.#creation?.catch(() => {
          this.#creation = undefined
        })
      },
    })
    return visit
  }

  #readSettings(): Settings {
    const { blueprint } = this
    return {
      url: this.url,
      publishableKey: this.getAttribute('publishable-key'),
      space: this.space,
      title: this.getAttribute('space-name') ?? 'Import',
      closeLabel: this.getAttribute('close-label'),
      language: this.getAttribute('language'),
      metadata: { ...this.metadata, ...(blueprint === undefined ? {} : { blueprint }) },
      theme: this.theme,
      fonts: this.fonts,
      colorScheme: this.getAttribute('color-scheme'),
      mode: this.getAttribute('mode'),
      stayOpen: this.hasAttribute('stay-open'),
    }
  }

  #emit<Name extends keyof ImporterEvents>(name: Name, detail: ImporterEvents[Name]): void {
    if (name === 'closed') this.removeAttribute('open')
    this.dispatchEvent(new CustomEvent(name, { detail }))
    this.#listeners[name]?.(detail)
  }
}

if (!customElements.get('wharf-importer')) customElements.define('wharf-importer', WharfImporter)

/** The element does not need to be in the page. */
export function createImporter(options: ImporterOptions, listeners?: ImporterListeners): WharfImporter {
  const importer = document.createElement('wharf-importer') as WharfImporter
  importer.configure(options, listeners)
  return importer
}

const unfinished = new Map<string, WharfImporter>()

/** Opens the importer. The same options continue what was closed before it was submitted. */
export async function openImporter(options: ImporterOptions, listeners?: ImporterListeners): Promise<ImporterResult> {
  const { url, publishableKey, space, spaceName, metadata, blueprint } = options
  const key = JSON.stringify([url, publishableKey, space?.id, spaceName, metadata, blueprint])
  const importer = unfinished.get(key) ?? createImporter(options)
  unfinished.set(key, importer)
  importer.configure(options, listeners)
  const result = await importer.open()
  if (result.status === 'submitted') unfinished.delete(key)
  return result
}

type OpenArguments = Parameters<typeof openImporter>
type EarlyCall = [OpenArguments, (result: Promise<ImporterResult>) => void]

const page = globalThis as { wharf?: { open: typeof openImporter; queue?: EarlyCall[] } }
const earlyCalls = page.wharf?.queue ?? []
page.wharf = { open: openImporter }
for (const [options, resolve] of earlyCalls) resolve(openImporter(...options))
