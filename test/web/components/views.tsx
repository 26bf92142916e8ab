import { useState } from 'react'
import { Button } from '../../../web/shared/ui/controls.tsx'
import { CopyButton } from '../../../web/shared/ui/copy.tsx'
import { DataTable, type TableColumn } from '../../../web/shared/ui/data-table.tsx'
import { Confirm, Dialog } from '../../../web/shared/ui/dialog.tsx'
import { Menu } from '../../../web/shared/ui/menu.tsx'
import { Badge, Empty, ErrorNotice, Loading, Progress } from '../../../web/shared/ui/states.tsx'
import { Tabs } from '../../../web/shared/ui/tabs.tsx'
import { toast } from '../../../web/shared/ui/toast.tsx'
import { Tooltip } from '../../../web/shared/ui/tooltip.tsx'

export function Navigation() {
  const items = ['Guests', 'Files', 'Jobs', 'Settings'].map((label, index) => ({
    id: label,
    label,
    href: `#${label}`,
    count: index < 2 ? index * 1200 : undefined,
  }))
  return (
    <section>
      <h2>Navigation</h2>
      <Tabs label="Parts of a space" items={items} selected="Files" />
      <div className="buttons">
        <Menu
          label="Actions"
          entries={[
            { id: 'edit', label: 'Edit', run: () => toast('Edited.') },
            { id: 'delete', label: 'Delete', disabled: true, run: () => undefined },
          ]}
        >
          Actions
        </Menu>
        <CopyButton value="text" name="Text" />
        <Tooltip text="Deletes the file, and keeps its records">
          <Button>Delete file</Button>
        </Tooltip>
      </div>
    </section>
  )
}

export function States() {
  return (
    <section>
      <h2>States</h2>
      <div className="buttons">
        <Badge>Waiting</Badge>
        <Badge tone="good">Done</Badge>
        <Badge tone="fair">Conflict</Badge>
        <Badge tone="bad">Failed</Badge>
      </div>
      <Progress label="Uploading" value={42} />
      <Progress label="Reading" />
      <p className="notice">A notice</p>
      <p className="notice warn">A warning</p>
      <ErrorNotice error={new Error('An error that can be tried again.')} onRetry={() => undefined} />
      <Empty title="No files yet." />
      <Loading />
    </section>
  )
}

interface Person {
  id: string
  name: string
  age: number
}
const PEOPLE: Person[] = [
  { id: '1', name: 'Grace Hopper', age: 85 },
  { id: '2', name: 'Ada Lovelace', age: 36 },
  { id: '3', name: 'Katherine-Coleman-Goble-Johnson-of-White-Sulphur-Springs', age: 101 },
]
const COLUMNS: TableColumn<Person>[] = [
  { id: 'name', title: 'Name', isMain: true, render: ({ name }) => name, sortValue: ({ name }) => name },
  { id: 'age', title: 'Age', render: ({ age }) => age, sortValue: ({ age }) => age },
  { id: 'status', title: 'Status', render: () => <Badge tone="good">Active</Badge> },
  { id: 'actions', title: 'Actions', render: ({ name }) => <Button aria-label={`Edit ${name}`}>Edit</Button> },
]

export function Lists() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['2']))
  const [rows, setRows] = useState(PEOPLE)
  return (
    <section>
      <h2>Lists</h2>
      <DataTable
        label="People"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `#person-${id}`}
        empty="No people yet."
        selection={{ selected, onChange: setSelected, getName: ({ name }) => name }}
        more={{
          hasMore: rows === PEOPLE,
          load: () => setRows([...PEOPLE, { id: '4', name: 'Joan Clarke', age: 79 }]),
        }}
      />
      <DataTable label="Nobody" columns={COLUMNS} rows={[]} rowKey={({ id }) => id} empty="No people yet." />
    </section>
  )
}

export function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'drawer' | 'confirm'>()
  const close = () => setOpen(undefined)
  return (
    <section>
      <h2>Overlays</h2>
      <div className="buttons">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => setOpen('drawer')}>Open drawer</Button>
        <Button onClick={() => setOpen('confirm')}>Delete…</Button>
        <Button
          onClick={() => toast('Record deleted.', 'info', { label: 'Undo', run: () => toast('Record restored.') })}
        >
          Show toast
        </Button>
        <Button onClick={() => toast('Can’t reach the server.', 'error')}>Show error</Button>
      </div>
      {(open === 'dialog' || open === 'drawer') && (
        <Dialog title="Invite people" place={open === 'dialog' ? 'center' : 'end'} onClose={close}>
          <p>They get a link by email.</p>
        </Dialog>
      )}
      {open === 'confirm' && (
        <Confirm
          title="Delete"
          text="Delete “Spring import”?"
          action="Delete"
          danger
          onConfirm={close}
          onClose={close}
        />
      )}
    </section>
  )
}
