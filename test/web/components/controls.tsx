import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Combobox } from '../../../web/shared/ui/combobox.tsx'
import { Button, CheckField, SelectField, SwitchField, TextArea, TextField } from '../../../web/shared/ui/controls.tsx'
import { DateField } from '../../../web/shared/ui/date-field.tsx'
import { MultiSelect } from '../../../web/shared/ui/multi-select.tsx'
import { SearchField } from '../../../web/shared/ui/search-field.tsx'

const KINDS = ['plain', 'primary', 'danger', 'ghost'] as const
const SIZES = [
  { value: 's', label: 'Small' },
  { value: 'l', label: 'Large' },
]
const CITIES = [
  { value: 'ber', label: 'Berlin', description: 'Germany' },
  { value: 'bern', label: 'Bern', description: 'Switzerland' },
  { value: 'cai', label: 'القاهرة', description: 'Egypt' },
  { value: 'llan', label: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch', description: 'Wales' },
  ...Array.from({ length: 150 }, (_, index) => ({ value: `city-${index}`, label: `City ${index}` })),
]

export function Controls() {
  const [search, setSearch] = useState('')
  return (
    <section>
      <h2>Controls</h2>
      {KINDS.map((kind) => (
        <div key={kind} className="buttons">
          <Button kind={kind}>{kind}</Button>
          <Button kind={kind} busy>
            busy
          </Button>
          <Button kind={kind} disabled>
            disabled
          </Button>
          <Button kind={kind} className="icon" aria-label={`Add, ${kind}`}>
            <Plus aria-hidden="true" />
          </Button>
        </div>
      ))}
      <div className="columns">
        <TextField label="Text" defaultValue="Ada" hint="As on the invoice" />
        <TextField label="Text, empty" placeholder="Placeholder" />
        <TextField label="Text, disabled" defaultValue="Ada" disabled />
        <TextField label="Text, invalid" defaultValue="Ada" aria-invalid="true" hint="Enter a full name." />
        <TextArea label="Long text" defaultValue="Several words" hint="At most 100 words" />
        <SelectField label="Short list" options={SIZES} />
        <SelectField label="Short list, disabled" options={SIZES} disabled />
        <div>
          <CheckField label="Check" defaultChecked />
          <CheckField label="Check, disabled" disabled />
          <SwitchField label="Switch" />
          <SwitchField label="Switch, on" defaultChecked />
          <SwitchField label="Switch, disabled" disabled />
        </div>
        <div>
          <SearchField label="Search people" value={search} onChange={setSearch} />
          <p className="hint">Searched: {search || '–'}</p>
        </div>
      </div>
    </section>
  )
}

export function Pickers() {
  const [cities, setCities] = useState(CITIES)
  const [city, setCity] = useState('')
  const [list, setList] = useState(['ber', 'cai'])
  const [day, setDay] = useState('2024-03-14')
  return (
    <section>
      <h2>Pickers</h2>
      <div className="columns">
        <Combobox
          label="City"
          options={cities}
          value={city}
          onChange={setCity}
          onCreate={(text) => {
            setCities((all) => [...all, { value: text, label: text }])
            setCity(text)
          }}
          hint="Where the goods go"
        />
        <Combobox label="City, chosen" options={CITIES} value="llan" onChange={() => undefined} />
        <Combobox label="City, disabled" options={CITIES} value="ber" onChange={() => undefined} isDisabled />
        <Combobox label="City, loading" options={[]} value="" onChange={() => undefined} isLoading />
        <MultiSelect label="Cities" options={CITIES} value={list} onChange={setList} />
        <MultiSelect label="Cities, none" options={CITIES} value={[]} onChange={() => undefined} />
        <MultiSelect label="Cities, disabled" options={CITIES} value={['ber']} onChange={() => undefined} isDisabled />
        <DateField label="Day" value={day} onChange={setDay} hint={`Chosen: ${day}`} />
        <DateField label="Day, invalid" value="14th of March" onChange={() => undefined} />
        <DateField label="Day, disabled" value="2024-03-14" onChange={() => undefined} isDisabled />
      </div>
    </section>
  )
}
