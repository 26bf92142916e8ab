/** The link of the frame to the page around it. Only the page that began the session is listened to. */
import type { FrameMessage, HostMessage } from './protocol.ts'

const REQUESTS: ReadonlySet<string> = new Set<HostMessage['type']>(['wharf:leave', 'wharf:hidden'])

let embedder: string | undefined

export function postToPage(message: FrameMessage): void {
  if (embedder === undefined && message.type !== 'wharf:ready') return
  // A page without an origin, such as a local file, cannot be named as a target.
  const target = embedder === undefined || embedder === 'null' ? '*' : embedder
  window.parent.postMessage(message, target)
}

export function listenToPage(handle: (message: HostMessage, origin: string) => void): () => void {
  const receive = ({ source, origin, data }: MessageEvent<HostMessage | undefined>) => {
    if (source !== window.parent || origin !== (embedder ?? origin)) return
    if (data?.type === 'wharf:begin') embedder = origin
    else if (!data || !REQUESTS.has(data.type) || embedder === undefined) return
    handle(data, origin)
  }
  addEventListener('message', receive)
  postToPage({ type: 'wharf:ready' })
  return () => removeEventListener('message', receive)
}
