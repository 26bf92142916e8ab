/** The target sheet for a real list of movies. Its dates are texts, and some have the wrong century. */
const required = { type: 'required' }
const toOptions = (values: readonly string[]) => ({ options: values.map((value) => ({ value })) })

export const MOVIES_SHEET = {
  name: 'Movies',
  slug: 'movies',
  fields: [
    { key: 'title', type: 'string', label: 'Title', constraints: [required] },
    {
      key: 'released',
      type: 'date',
      label: 'Release Date',
      constraints: [
        required,
        { type: 'range', config: { lte: '2011-12-31', message: 'The list was made in 2011: check the century' } },
      ],
    },
    { key: 'rating', type: 'enum', label: 'MPAA Rating', config: toOptions(['g', 'pg', 'pg-13', 'r', 'nc-17']) },
    { key: 'budget', type: 'number', label: 'Production Budget' },
    { key: 'gross', type: 'number', label: 'US Gross' },
    {
      key: 'score',
      type: 'number',
      label: 'IMDB Rating',
      constraints: [{ type: 'range', config: { gte: 0, lte: 10 } }],
    },
  ],
}
