/** Has no text, because it renders before the texts are loaded. */
import './states.css'

export const Loading = () => (
  <div className="loading" role="progressbar" aria-label="…">
    <span className="spinner" />
  </div>
)
