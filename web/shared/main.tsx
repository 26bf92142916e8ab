import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeLinkToken } from './link-token.ts'
import { preloadTexts } from './texts/texts.tsx'
import './styles.css'

// Must run first: a token in the URL is removed before anything renders or requests.
const linkToken = takeLinkToken()
const root = createRoot(document.getElementById('app')!)
void preloadTexts().then(() => root.render(<App linkToken={linkToken} />))
