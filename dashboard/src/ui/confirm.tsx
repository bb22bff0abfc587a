/**
 * Asks before something is done. What cannot be undone with real money is typed: `typed` is the word, asked for in live only.
 * Escape and Cancel close it; what was typed into `children` belongs to the caller, and so is not lost. Focus returns by itself.
 */
import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useHere } from '../api/environment.tsx';
import type { Write } from '../api/writes.ts';
import { Dialog } from './dialog.tsx';
import { Fields } from './fields.tsx';
import { Trouble } from './conditions.tsx';

interface Props<Input> {
  readonly title: string;
  /** What will happen, in a sentence; fields where the action takes some. */
  readonly children?: ReactNode;
  /** On the button: the verb of the title. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  /** In live this has to be typed. */
  readonly typed?: string;
  readonly isIncomplete?: boolean;
  readonly isOpen: boolean;
  readonly write: Write<Input, unknown>;
  readonly input: Input;
  close(): void;
}

export function Confirm<Input>(props: Props<Input>) {
  const {
    title,
    children,
    verb,
    isDangerous = false,
    typed,
    isIncomplete = false,
    isOpen,
    write,
    input,
    close,
  } = props;
  const { mode } = useHere();
  const [text, setText] = useState('');
  const mustType = typed !== undefined && mode === 'live';
  const isReady = write.again !== null || (!isIncomplete && (!mustType || text.trim() === typed));
  const leave = () => {
    setText('');
    write.reset();
    close();
  };
  const submit = async () => {
    if (!isReady || write.isBusy) return;
    if ((await (write.again === null ? write.run(input) : write.again())) !== undefined) leave();
  };
  return (
    <Dialog isOpen={isOpen} close={leave} title={title}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Fields write={write}>{children}</Fields>
        {mustType && (
          <TextInput
            label={`Type ${typed} to confirm`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <Trouble error={write.error} />
        <div className="buttons">
          <Button variant="default" onClick={leave}>
            Cancel
          </Button>
          <Button type="submit" color={isDangerous ? 'danger' : 'accent'} loading={write.isBusy} disabled={!isReady}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
