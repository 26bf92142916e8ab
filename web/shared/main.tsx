import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { arrive } from './arrival.ts'
import { firstTexts } from './texts/texts.tsx'
import './styles.css'

// Before anything is shown or asked: a token in the address leaves it.
const arrival = arrive()
const root = createRoot(document.getElementById('app')!)
void firstTexts().then(() => root.render(<App arrival={arrival} />))
