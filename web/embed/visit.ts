/** One visit of the importer, from opening until it is closed and no submission is running. */
import type {
  ImporterEvents,
  ImporterFont,
  ImporterResult,
  ImporterSpace,
  ImporterTheme,
  Submission,
} from '../../packages/react/src/types.ts'
import { createSpace, Failure, loadFonts, readRecords } from './host-api.ts'
import { getHostTexts, type HostTexts } from './host-texts.ts'
import type { BeginMessage, FontFile, FrameMessage, HostMessage, SubmittedMessage } from './protocol.ts'
import { Shell } from './shell.ts'

const READY_MS = 20_000
const LEAVE_MS = 3000
const SUBMISSION_MS = 600_000

export interface Settings {
  url: string
  publishableKey: string | null
  space: ImporterSpace | undefined
  title: string
  closeLabel: string | null
  language: string | null
  metadata: Record<string, unknown>
  theme: ImporterTheme | undefined
  fonts: readonly ImporterFont[] | undefined
  colorScheme: string | null
  mode: string | null
  stayOpen: boolean
}

export type Emit = <Name extends keyof ImporterEvents>(name: Name, detail: ImporterEvents[Name]) => void

export interface VisitOptions {
  readSettings(): Settings
  /** The space of an earlier visit that was not submitted. */
  creation: Promise<ImporterSpace> | undefined
  emit: Emit
  onEnd(isSubmitted: boolean): void
}

const getFrameAddress = ({ url, language }: Settings): string =>
  language ? `${url}/embed?language=${encodeURIComponent(language)}` : `${url}/embed`

export class Visit {
  readonly result: Promise<ImporterResult>
  creation: Promise<ImporterSpace> | undefined
  space: ImporterSpace | undefined
  readonly #options: VisitOptions
  readonly #shell: Shell
  readonly #host: HostTexts
  #settings: Settings
  #resolve!: (result: ImporterResult) => void
  #frame: HTMLIFrameElement | undefined
  #fonts: FontFile[] = []
  #failure: Failure | undefined
  #submission: Submission | undefined
  #running = 0
  #isHidden = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #blocked: string | undefined

  constructor(options: VisitOptions) {
    this.result = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.#options = options
    this.#settings = options.readSettings()
    this.creation = options.creation
    this.#host = getHostTexts(this.#settings.language)
    const { title, closeLabel } = this.#settings
    this.#shell = new Shell({
      title,
      closeLabel: closeLabel ?? this.#host.texts.close,
      language: this.#host.language,
      onLeave: () => this.leave(),
      onClosed: () => this.hide(),
    })
    addEventListener('message', this.#receive)
    document.addEventListener('securitypolicyviolation', this.#noteViolation)
    void this.#start()
  }

  show(): void {
    if (this.#isHidden) clearTimeout(this.#timer)
    this.#isHidden = false
    this.#shell.show()
  }

  /** Asks the frame, which asks the guest if work was not submitted. A frame that does not respond is closed. */
  leave(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.hide(), this.#frame?.classList.contains('shown') ? LEAVE_MS : 0)
    this.#post({ type: 'wharf:leave' })
  }

  /** A frame with a running submission lives on, so that its end is reported. */
  hide(): void {
    if (this.#isHidden) return
    this.#isHidden = true
    clearTimeout(this.#timer)
    this.#shell.hide()
    this.#options.emit('closed', { spaceId: this.space?.id })
    if (!this.#frame) {
      this.#end()
      return
    }
    // Messages keep their order: the reply comes after the report of a submission that has just started or ended.
    this.#post({ type: 'wharf:hidden' })
    this.#timer = setTimeout(() => this.#endIfIdle(), this.#frame.classList.contains('shown') ? LEAVE_MS : 0)
  }

  #endIfIdle(): void {
    clearTimeout(this.#timer)
    if (this.#running === 0) this.#end()
    else this.#timer = setTimeout(() => this.#end(), SUBMISSION_MS)
  }

  async #start(): Promise<void> {
    this.#settings = this.#options.readSettings()
    this.#failure = undefined
    this.#blocked = undefined
    const { url, fonts, colorScheme, title } = this.#settings
    this.#shell.colors = { scheme: colorScheme ?? 'system' }
    this.#shell.showLoading(this.#host.texts.loading)
    try {
      const [space, fontFiles] = await Promise.all([this.#findSpace(), loadFonts(fonts)])
      this.space = space
      this.#fonts = fontFiles
      if (this.#isHidden) return
      this.#timer = setTimeout(() => this.#fail(new Failure('frame', `${url}/embed did not load.`)), READY_MS)
      this.#frame = this.#shell.addFrame(getFrameAddress(this.#settings), title)
    } catch (error) {
      this.creation = undefined
      // The browser reports a violation after the request has failed.
      await new Promise((resolve) => setTimeout(resolve))
      this.#fail(error as Failure)
    }
  }

  #findSpace(): ImporterSpace | Promise<ImporterSpace> {
    const { space, url, publishableKey, title: name, metadata } = this.#settings
    if (space) return space
    this.creation ??= createSpace(url, publishableKey, { name, metadata })
    return this.creation
  }

  #noteViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (!blockedURI.startsWith(new URL(this.#settings.url).origin)) return
    this.#blocked = `The policy ${effectiveDirective} of this page does not allow ${this.#settings.url}.`
    if (this.#frame) this.#fail(new Failure('blocked', this.#blocked))
  }

  #fail(error: Failure): void {
    clearTimeout(this.#timer)
    if (this.#isHidden) return
    const failure = this.#blocked ? new Failure('blocked', this.#blocked) : error
    this.#frame = undefined
    this.#failure = failure
    this.#shell.showFailure(this.#host.texts[failure.code], this.#host.texts.tryAgain, () => void this.#start())
    this.#options.emit('error', { code: failure.code, message: failure.message })
  }

  #post(message: HostMessage): void {
    this.#frame?.contentWindow?.postMessage(message, new URL(this.#settings.url).origin)
  }

  #receive = ({ source, origin, data }: MessageEvent<FrameMessage | undefined>) => {
    if (!this.#frame || source !== this.#frame.contentWindow) return
    if (origin !== new URL(this.#settings.url).origin) return
    switch (data?.type) {
      case 'wharf:ready':
        return this.#begin()
      case 'wharf:shown':
        clearTimeout(this.#timer)
        this.#shell.colors = data
        return this.#shell.showFrame()
      case 'wharf:asking':
        return clearTimeout(this.#timer)
      case 'wharf:ended':
        this.creation = undefined
        return
      case 'wharf:close':
        return this.hide()
      case 'wharf:submitted':
        return this.#noteSubmission(data)
      case 'wharf:running':
        this.#running = data.count
        if (this.#isHidden) this.#endIfIdle()
    }
  }

  #begin(): void {
    const { theme, colorScheme, mode, stayOpen } = this.#settings
    const begin: BeginMessage = {
      type: 'wharf:begin',
      spaceId: this.space!.id,
      token: this.space!.accessToken,
      theme: theme ?? {},
      fonts: this.#fonts,
      colorScheme: colorScheme ?? undefined,
      mode: mode ?? undefined,
      stayOpen,
    }
    this.#post(begin)
  }

  #noteSubmission({ jobId, operation, counts, sheets }: SubmittedMessage): void {
    const { id: spaceId, accessToken } = this.space!
    const { url } = this.#settings
    const submission: Submission = {
      spaceId,
      jobId,
      operation,
      counts,
      sheets,
      records: (options) => readRecords(url, accessToken, sheets, options),
    }
    this.#submission = submission
    this.#options.emit('submitted', submission)
  }

  #end(): void {
    clearTimeout(this.#timer)
    removeEventListener('message', this.#receive)
    document.removeEventListener('securitypolicyviolation', this.#noteViolation)
    this.#shell.remove()
    this.#options.onEnd(this.#submission !== undefined)
    const { code, message } = this.#failure ?? {}
    this.#resolve(
      this.#submission
        ? { status: 'submitted', ...this.#submission }
        : { status: 'closed', spaceId: this.space?.id, ...(code && { error: { code, message: message ?? '' } }) },
    )
  }
}
