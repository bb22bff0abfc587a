/**
 * Recipients in one request, as from a list of staff: all are made, or none is and every fault is named. Pure. Each is made as a single one is
 * (`decide.ts`). Who finds those that are known already: `match-decide.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { type ItemFault, refusal } from '../../core/values/errors.ts';
import type { BankFault } from './bank-details.ts';
import { type CreateRecipient, createRecipient } from './decide.ts';
import type { Recipient } from './fields.ts';
import { accountOf, byAccount } from './match-decide.ts';

/** A recipient to be made, or the faults of one that could not be read, by the names of its own parameters. */
export type RecipientItem = CreateRecipient | { readonly faults: readonly BankFault[] };

export interface CreateRecipientBatch {
  readonly type: 'create_recipient_batch';
  readonly items: readonly RecipientItem[];
}

declare module '../../core/decision.ts' {
  interface Replies {
    /** With the id of its environment; the recipients in the order of the request. */
    readonly recipient_batch: {
      readonly object: 'recipient_batch';
      readonly id: string;
      readonly recipients: readonly Recipient[];
    };
  }
}

/**
 * Refuses `batch_invalid`. That two have one account is no fault, since a couple may have one: `duplicateOf` names the oldest active recipient
 * with the account, which may be one of the same batch.
 */
export function createRecipientBatch(draft: Draft, { items }: CreateRecipientBatch): Decision {
  const oldest = oldestByAccount(draft);
  const recipients: Recipient[] = [];
  const errors: ItemFault[] = [];
  for (const [index, item] of items.entries()) {
    if ('faults' in item) {
      errors.push(...item.faults.map((fault) => ({ index, ...fault })));
      continue;
    }
    const account = accountOf(item);
    const made = createRecipient(draft, { ...item, duplicateOf: oldest.get(account) ?? null });
    if (isRefusal(made)) {
      const { code, message, details } = made;
      errors.push({ index, ...(details.param !== undefined && { param: details.param }), code, message });
      continue;
    }
    recipients.push(made);
    if (account !== '' && !oldest.has(account)) oldest.set(account, made.id);
  }
  if (errors.length === 0) return { object: 'recipient_batch', id: draft.state.environment.id, recipients };
  const message = `The batch of ${items.length} has ${errors.length === 1 ? 'a fault' : `${errors.length} faults`}; nothing was created. errors names each item of recipients that is wrong.`;
  const refused = refusal('batch_invalid', message, { param: 'recipients', errors });
  return items.some((item) => 'faults' in item) ? { ...refused, isUnrecorded: true } : refused;
}

/** Ids by account. Details that name no account are those of nobody else. */
function oldestByAccount(draft: Draft): Map<string, string> {
  const active = draft.all('recipient').filter(({ status }) => status === 'active'); // by age
  const found = [...byAccount(active)].flatMap(([account, [first]]) =>
    account === '' || first === undefined ? [] : [[account, first.id] as const],
  );
  return new Map(found);
}
