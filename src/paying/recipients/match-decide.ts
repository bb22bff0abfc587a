/**
 * Which recipient a payee is: somebody known by name and account, as in a list of salaries. The account finds the recipient, and the name
 * has to agree, because money goes to the account whatever the name is. Pure. Names: `names.ts`; the parameters: `match-parameters.ts`.
 */
import { isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import { accountOnly, accountsOf } from './bank-details.ts';
import { type CreateRecipient, createRecipient } from './decide.ts';
import type { Recipient } from './fields.ts';
import { isSameName } from './names.ts';

/** What a recipient would be made of. Its bank details are canonical. */
export type Payee = Omit<CreateRecipient, 'type' | 'metadata' | 'duplicateOf'>;
type Sought = Pick<Payee, 'name' | 'latinName' | 'currency' | 'bankDetails'>;

export type Match =
  | { readonly status: 'found' | 'found_with_another_name'; readonly recipient: Recipient }
  | { readonly status: 'new' }
  | { readonly status: 'ambiguous'; readonly candidates: readonly Recipient[] };

/** `known`: recipients with the account of the payee. Those that cannot be paid in its currency do not count. */
export function matchOf(payee: Sought, known: readonly Recipient[]): Match {
  const payable = known.filter(({ status, currency }) => status === 'active' && currency === payee.currency);
  const named = payable.filter((recipient) => haveSameName(payee, recipient));
  const candidates = named.length > 0 ? named : payable;
  const [recipient] = candidates;
  if (recipient === undefined) return { status: 'new' };
  if (candidates.length > 1) return { status: 'ambiguous', candidates: candidates.toSorted(byAge) };
  return { status: named.length > 0 ? 'found' : 'found_with_another_name', recipient };
}

type Named = Pick<Sought, 'name' | 'latinName'>;
const haveSameName = (one: Named, other: Named): boolean =>
  namesOf(one).some((name) => namesOf(other).some((each) => isSameName(name, each)));
const namesOf = ({ name, latinName }: Named): readonly string[] => (latinName ? [name, latinName] : [name]);

/** Ids sort by age. */
const byAge = (one: Recipient, other: Recipient): number => (one.id < other.id ? -1 : 1);

/** Recipients by what {@link accountsOf} calls their account. */
export function byAccount(recipients: Iterable<Recipient>): Map<string, Recipient[]> {
  const found = new Map<string, Recipient[]>();
  for (const recipient of recipients) {
    const account = accountOf(recipient);
    found.set(account, [...(found.get(account) ?? []), recipient]);
  }
  return found;
}

/** Empty: the details name none. */
export const accountOf = ({ bankDetails }: Pick<Recipient, 'bankDetails'>): string => accountsOf(bankDetails)[0] ?? '';

/** The recipients of one command's payees. Each is found among those that are loaded, or made once. */
export class Payees {
  private readonly draft: Draft;
  private readonly isCreating: boolean;
  private readonly made = new Map<string, string[]>();
  private loaded: ReadonlyMap<string, readonly Recipient[]> | undefined;

  constructor(draft: Draft, isCreating: boolean) {
    this.draft = draft;
    this.isCreating = isCreating;
  }

  /** The id of the payee's recipient, which may be new. Refuses what {@link find} does. */
  recipientOf(payee: Payee, meant: string | null): { readonly id: string; readonly isNew: boolean } | Refusal {
    const found = this.find(payee, meant);
    if (typeof found === 'string') return { id: found, isNew: false };
    if (found !== null) return found;
    const duplicateOf =
      this.known(payee)
        .toSorted(byAge)
        .find(({ status }) => status === 'active')?.id ?? null;
    const command = { type: 'create_recipient', ...payee, duplicateOf, metadata: undefined } as const;
    const created = createRecipient(this.draft, command);
    if (isRefusal(created)) return created;
    const { id } = created;
    const account = accountOf(payee);
    this.made.set(account, [...(this.made.get(account) ?? []), id]);
    return { id, isNew: true };
  }

  /**
   * The id of the payee's recipient; `null`: it has none and may get one. `meant`: the one that the request names beside the payee; its
   * name may differ. Refuses `resource_missing`, `recipient_name_mismatch`, `recipient_ambiguous` and `parameter_conflict`.
   */
  find(payee: Payee, meant: string | null): string | null | Refusal {
    const shown = Object.values(accountOnly(payee.bankDetails))[0];
    if (meant !== null) {
      const recipient = this.draft.find('recipient', meant);
      if (recipient === undefined || accountOf(recipient) === accountOf(payee)) return meant;
      const message = `Recipient ${meant} has another account than ${shown}. Send one of them, or mend the account.`;
      return refusal('parameter_conflict', message, { param: 'iban' });
    }
    const match = matchOf(payee, this.known(payee));
    if (match.status === 'found') return match.recipient.id;
    if (match.status === 'new') {
      if (this.isCreating) return null;
      const message = `No recipient in ${payee.currency} has the account ${shown}. With create_recipients=true it is created.`;
      return refusal('resource_missing', message, { param: 'iban' });
    }
    if (match.status === 'ambiguous') {
      const ids = match.candidates.map(({ id }) => id).join(', ');
      const message = `The account in iban, ${shown}, is that of more than one recipient: ${ids}. Say in recipient which one is meant.`;
      return refusal('recipient_ambiguous', message, { param: 'iban' });
    }
    const { id } = match.recipient;
    const message = `Recipient ${id} has the account ${shown} under another name. If it is meant, say so in recipient.`;
    return refusal('recipient_name_mismatch', message, { param: 'name', resource_id: id });
  }

  /** Those with the account of the payee, as they are now in the draft. */
  private known(payee: Payee): readonly Recipient[] {
    this.loaded ??= byAccount(this.draft.all('recipient'));
    const account = accountOf(payee);
    const made = (this.made.get(account) ?? []).flatMap((id) => this.draft.find('recipient', id) ?? []);
    return [...(this.loaded.get(account) ?? []), ...made];
  }
}
