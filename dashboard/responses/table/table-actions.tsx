import { Columns3, Download, Ellipsis, Upload } from 'lucide-react';
import { useState } from 'react';
import type { Form } from '../../api/queries.ts';
import { ImportDialog } from '../../import/import-dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ColumnChoices, ColumnChooser } from './column-chooser.tsx';
import type { Columns } from './use-columns.ts';

interface TableActionsProps {
  form: Form;
  columns: Columns;
  /** Whether there is nothing but what may be imported. */
  isBare: boolean;
  /** Why nothing may be imported, or null. */
  importRefusal: string | null;
  onExport(): void;
}

/** What can be done with the whole table; on phones a menu, as buttons would take a line. */
export function TableActions({ form, columns, isBare, importRefusal, onExport }: TableActionsProps) {
  const [isImporting, setImporting] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <div className="ms-auto flex justify-end gap-2 max-sm:hidden">
        {!isBare && <ColumnChooser columns={columns} />}
        <Button
          icon={<Upload className="size-4" />}
          disabledReason={importRefusal}
          onClick={() => setImporting(true)}
        >
          <span className="max-lg:sr-only">Import</span>
        </Button>
        {!isBare && (
          <Button icon={<Download className="size-4" />} onClick={onExport}>
            <span className="max-lg:sr-only">Export</span>
          </Button>
        )}
      </div>
      <Menu
        trigger={
          <IconButton label="More for the table" className="ms-auto sm:hidden">
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        {!isBare && (
          <MenuItem icon={<Columns3 />} onSelect={() => setChoosing(true)}>
            Columns
          </MenuItem>
        )}
        <MenuItem icon={<Upload />} disabledReason={importRefusal} onSelect={() => setImporting(true)}>
          Import
        </MenuItem>
        {!isBare && (
          <MenuItem icon={<Download />} onSelect={onExport}>
            Export
          </MenuItem>
        )}
      </Menu>
      <Dialog isOpen={isChoosing} onClose={() => setChoosing(false)} title="Columns">
        <div className="-mx-5 -mb-5">
          <ColumnChoices columns={columns} />
        </div>
      </Dialog>
      <ImportDialog isOpen={isImporting} onClose={() => setImporting(false)} form={form} />
    </>
  );
}
