/** Shows every component in every state. `npx vite --config web/vite.config.ts test/web/components` serves it. */
import '../../../web/shared/ui/theme.css'
import '../../../web/shared/ui/base.css'
import '../../../web/shared/ui/frame.css'
import './page.css'
import { createRoot } from 'react-dom/client'
import { I18nProvider, preloadTexts } from '../../../web/shared/texts/texts.tsx'
import { ColorSchemeChoice } from '../../../web/shared/ui/color-scheme-choice.tsx'
import { LanguageChoice } from '../../../web/shared/ui/language.tsx'
import { ToastRegion } from '../../../web/shared/ui/toast.tsx'
import { Controls, Pickers } from './controls.tsx'
import { Lists, Navigation, Overlays, States } from './views.tsx'

const root = createRoot(document.getElementById('app')!)
void preloadTexts().then(() =>
  root.render(
    <I18nProvider>
      <main className="page components">
        <header className="page-head">
          <h1>Components</h1>
          <div className="buttons">
            <LanguageChoice />
            <ColorSchemeChoice />
          </div>
        </header>
        <Controls />
        <Pickers />
        <Navigation />
        <States />
        <Lists />
        <Overlays />
      </main>
      <ToastRegion />
    </I18nProvider>,
  ),
)
