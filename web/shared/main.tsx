import './ui/theme.css'
import './ui/base.css'
import { createRoot } from 'react-dom/client'
import { joinSession } from './api/session.ts'
import { App } from './app.tsx'
import { restoreColorScheme } from './color-scheme.ts'
import { takeLinkToken } from './link-token.ts'
import { preloadTexts } from './texts/texts.tsx'

// Must run first: a token in the URL is removed before anything renders or requests.
const linkToken = takeLinkToken()
// A link that is pasted on the page which asks for it changes only the hash.
addEventListener('hashchange', () => location.hash.includes('token=') && location.reload())
restoreColorScheme()
const root = createRoot(document.getElementById('app')!)
void Promise.all([preloadTexts(), joinSession(linkToken.token !== undefined)]).then(() =>
  root.render(<App linkToken={linkToken} />),
)
