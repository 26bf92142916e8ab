export const MissingList = ({ missing }: { missing: readonly string[] }) =>
  missing.length > 0 && (
    <ul className="notice warn problem-list" role="alert">
      {missing.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
