/** Commands of the import, one after the other. */
import { RequestError } from '../../core/values/errors.ts';
import type { BankStatementCommand } from '../statements/slice.ts';

export interface SendingParts {
  write(this: void, command: BankStatementCommand): Promise<{ readonly status: number; readonly body: string }>;
}

/** The body of the answer. Throws the refusal. */
export async function accepted({ write }: SendingParts, command: BankStatementCommand): Promise<string> {
  const { status, body } = await write(command);
  if (status === 200) return body;
  const { error } = JSON.parse(body) as { readonly error: { readonly code: never; readonly message: string } };
  throw new RequestError(error.code, error.message);
}
