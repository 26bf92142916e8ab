import DefaultTheme from 'vitepress/theme-without-fonts'
import Diagram from './diagram.vue'
import '../../../web/shared/ui/theme.css'
import './look.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('Diagram', Diagram),
}
