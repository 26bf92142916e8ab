/** The target sheet of the demo, with stricter types and constraints than the file. */

const STATES =
  'AK AL AR AS AZ CA CO CQ CT DC DE FL GA GU HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA PR RI SC SD TN TX UT VA VI VT WA WI WV WY'.split(
    ' ',
  )

export const AIRPORTS_SHEET = {
  name: 'Airport directory',
  slug: 'airport-directory',
  fields: [
    { key: 'code', type: 'string', label: 'IATA', constraints: [{ type: 'required' }, { type: 'unique' }] },
    { key: 'name', type: 'string', label: 'Name', constraints: [{ type: 'required' }] },
    { key: 'city', type: 'string', label: 'City', constraints: [{ type: 'required' }] },
    { key: 'state', type: 'enum', label: 'State', config: { options: STATES.map((value) => ({ value })) } },
    {
      key: 'country',
      type: 'enum',
      label: 'Country',
      constraints: [{ type: 'required' }],
      config: { options: ['US', 'FM', 'MP', 'PW', 'TH'].map((value) => ({ value })) },
    },
    { key: 'latitude', type: 'number', label: 'Latitude', constraints: [{ type: 'required' }] },
    { key: 'longitude', type: 'number', label: 'Longitude', constraints: [{ type: 'required' }] },
  ],
}
