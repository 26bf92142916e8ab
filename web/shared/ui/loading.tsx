/** Without words: it stands before there are any. */
export const Loading = () => (
  <div className="loading" role="progressbar" aria-label="…">
    <span className="spinner" />
  </div>
)
