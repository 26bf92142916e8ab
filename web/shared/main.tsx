import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { arrive } from './arrival.ts'
import './styles.css'

// Before anything is shown or asked: a token in the address leaves it.
const arrival = arrive()
createRoot(document.getElementById('app')!).render(<App arrival={arrival} />)
