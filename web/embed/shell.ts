/** The dialog around the importer's frame. It is in the body, so that it outlives the element that opened it. */

const CSS = `
dialog { position: fixed; inset: 0; margin: auto; width: min(1200px, 96vw); height: min(860px, 94vh); max-width: none;
  max-height: none; padding: 0; border: 0; border-radius: 12px; overflow: hidden; background: Canvas; color: CanvasText;
  font: 14px/1.5 system-ui, sans-serif; box-shadow: 0 12px 48px rgb(0 0 0 / 30%) }
dialog[open] { display: grid; grid-template-rows: 44px minmax(0, 1fr) }
dialog::backdrop { background: rgb(10 20 30 / 50%) }
header { display: flex; align-items: center; justify-content: space-between; gap: 12px; padding-inline: 16px 6px;
  font-weight: 600 }
header span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
main { position: relative }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; visibility: hidden }
iframe.shown { visibility: visible }
button { font: inherit; color: inherit; cursor: pointer }
header button { flex: none; width: 32px; height: 32px; border: 0; border-radius: 8px; background: transparent }
header button:hover { background: color-mix(in srgb, currentcolor 10%, transparent) }
button:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px }
section { position: absolute; inset: 0; display: flex; flex-direction: column; align-items: center;
  justify-content: center; gap: 16px; padding: 24px; text-align: center }
section p { max-width: 44ch; margin: 0 }
section button { padding: 8px 16px; border: 1px solid color-mix(in srgb, currentcolor 30%, transparent);
  border-radius: 8px; background: transparent; font-weight: 600 }
i { width: 24px; height: 24px; border: 2px solid color-mix(in srgb, currentcolor 20%, transparent);
  border-top-color: currentcolor; border-radius: 50%; animation: turn .8s linear infinite }
@keyframes turn { to { transform: rotate(1turn) } }
@media (prefers-reduced-motion: reduce) { i { animation-duration: 3s } }
@media (max-width: 720px) { dialog { width: 100vw; height: 100dvh; border-radius: 0 } }
`

interface ShellOptions {
  title: string
  closeLabel: string
  language: string
  onLeave(): void
  onClosed(): void
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}

let openShells = 0
let pageOverflow = ''

/** The page behind a modal dialog does not scroll. */
function lockScrolling(step: 1 | -1): void {
  const { style } = document.documentElement
  if (step === 1 && openShells === 0) {
    pageOverflow = style.overflow
    style.overflow = 'hidden'
  }
  openShells += step
  if (openShells === 0) style.overflow = pageOverflow
}

export class Shell {
  readonly #host = document.createElement('div')
  readonly #dialog: HTMLDialogElement
  readonly #content = document.createElement('main')
  #frame: HTMLIFrameElement | undefined
  #isShown = false

  constructor({ title, closeLabel, language, onLeave, onClosed }: ShellOptions) {
    const close = element('button', { type: 'button', textContent: '✕', ariaLabel: closeLabel, onclick: onLeave })
    const header = element('header', {}, element('span', { textContent: title }), close)
    this.#dialog = element('dialog', { ariaLabel: title, lang: language, dir: language === 'ar' ? 'rtl' : 'ltr' })
    this.#dialog.append(header, this.#content)
    const leaveByKey = (event: Event) => {
      event.preventDefault()
      onLeave()
    }
    this.#dialog.addEventListener('cancel', leaveByKey)
    this.#dialog.addEventListener('keydown', (event) => event.key === 'Escape' && leaveByKey(event))
    // A second Escape without a click in between closes a dialog without `cancel`.
    this.#dialog.addEventListener('close', () => this.#isShown && onClosed())
    const root = this.#host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(CSS)
    root.adoptedStyleSheets = [sheet]
    root.append(this.#dialog)
    this.#host.className = 'wharf-importer'
    const page = document.body ?? document.documentElement
    page.append(this.#host)
    this.show()
  }

  set colors({ background, color, scheme }: { background?: string; color?: string; scheme?: string }) {
    const { style } = this.#dialog
    if (background) style.background = background
    if (color) style.color = color
    if (scheme) style.colorScheme = scheme === 'system' ? 'light dark' : scheme
  }

  showLoading(text: string): void {
    this.#frame = undefined
    this.#content.replaceChildren(element('section', { role: 'status', ariaLabel: text }, element('i')))
  }

  showFailure(text: string, retryLabel: string, onRetry: () => void): void {
    this.#frame = undefined
    const retry = element('button', { type: 'button', textContent: retryLabel, onclick: onRetry })
    this.#content.replaceChildren(element('section', { role: 'alert' }, element('p', { textContent: text }), retry))
    retry.focus()
  }

  addFrame(src: string, title: string): HTMLIFrameElement {
    this.#frame = element('iframe', {
      src,
      title,
      referrerPolicy: 'no-referrer',
      allow: 'clipboard-read; clipboard-write',
    })
    this.#content.append(this.#frame)
    return this.#frame
  }

  showFrame(): void {
    this.#content.querySelector('section')?.remove()
    this.#frame?.classList.add('shown')
    this.#frame?.focus()
  }

  show(): void {
    if (this.#isShown) return
    this.#isShown = true
    this.#dialog.showModal()
    lockScrolling(1)
  }

  hide(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#dialog.close()
    lockScrolling(-1)
  }

  remove(): void {
    this.hide()
    this.#host.remove()
  }
}
