/** A file that a bank has sent, chosen or dropped here. Nothing is sent before Import; the same bytes are booked once in any case. */
import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type DragEvent, useRef, useState } from 'react';
import { useMay } from '../../api/me.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import classes from './bank.module.css';

export function ImportFile() {
  const mayImport = useMay()('statement_files:write');
  const [chosen, choose] = useState<File | null>(null);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // The name stands for the file, by which an attempt is known to be the same.
  const send = useWrite(async (client, options, name: string) => {
    if (chosen === null) throw new Error(`${name} is not there any more.`);
    return client.statementFiles.import(chosen, {}, options);
  });
  const take = (file: File | null) => {
    send.reset();
    choose(file);
  };
  const importIt = async () => {
    if (chosen === null) return;
    const answer = await send.run(`${chosen.name} ${chosen.size} ${chosen.lastModified}`);
    if (answer === undefined) return;
    notifications.show({ message: answer.status === 'imported' ? 'The file is imported.' : 'The file is being read.' });
    choose(null);
    if (input.current !== null) input.current.value = '';
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file = null] = event.dataTransfer.files;
    if (file === null || !mayImport) return;
    if (input.current !== null) input.current.files = event.dataTransfer.files;
    take(file);
  };
  return (
    <div
      className={`stack ${classes['drop']} ${isOver ? classes['over'] : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <TextInput
        ref={input}
        label="A file of your bank"
        description="Drop it here or choose it: camt.053, camt.052, camt.054, pain.002, MT940 or MT942, also in a ZIP. The same file twice is booked once."
        type="file"
        disabled={!mayImport}
        onChange={(event) => take(event.currentTarget.files?.[0] ?? null)}
      />
      <Trouble error={send.error} />
      <div>
        <Action
          reason={mayImport ? null : 'Your role may not import files of banks.'}
          disabled={chosen === null}
          loading={send.isBusy}
          onClick={() => void importIt()}
        >
          Import
        </Action>
      </div>
    </div>
  );
}
