/**
 * The form of a page that makes or changes something: its fields, why it was refused where no field says it, and the button that sends it. While nobody knows
 * whether it happened, the fields cannot be changed (`fields.tsx`).
 */
import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { isAboutOthers } from '../api/errors.ts';
import type { Write } from '../api/writes.ts';
import { Trouble } from './conditions.tsx';
import { Fields } from './fields.tsx';

interface Props<Input, Output> {
  readonly write: Write<Input, Output>;
  /** What is sent. `null`: something is missing yet, or wrong. */
  readonly input: Input | null;
  /** Why it would be refused, as a dry run says. */
  readonly wouldFail?: unknown;
  /** Parameters whose faults stand beside their fields. Those of others stand above the button. */
  readonly params: readonly string[];
  /** On the button. */
  readonly verb: string;
  readonly children: ReactNode;
  cancel?(): void;
  done(made: Output): void;
}

export function WriteForm<Input, Output>(props: Props<Input, Output>) {
  const { write, input, wouldFail = null, params, verb, children, cancel, done } = props;
  const refused = write.error ?? wouldFail;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (write.isBusy) return;
    const made = await (write.again?.() ?? (input === null ? undefined : write.run(input)));
    if (made !== undefined) done(made);
  };
  return (
    <form className="stack narrow" onSubmit={(event) => void submit(event)} noValidate>
      <Fields write={write}>{children}</Fields>
      {isAboutOthers(refused, params) && <Trouble error={refused} />}
      <div className="buttons">
        {cancel !== undefined && (
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={write.isBusy} disabled={input === null && write.again === null}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
