/**
 * Broken ledgers, for control runs of the property: each is the real thing with one fault that a hurried change could
 * make. A property that lets one of them pass tests nothing. Who runs them: `test/soak/ledger.property.test.ts`.
 * Those of payments: `payments.ts`.
 */
import type { Decided } from '../../../src/core/decision.ts';
import type { StoredObject } from '../../../src/core/objects.ts';
import type { Transfer } from '../../../src/core/transfer.ts';
import type { FeeRule } from '../../../src/core/fee-rules.ts';
import type { Account } from '../../../src/core/account.ts';
import type { Context } from '../../../src/core/draft.ts';
import { apply, type Change, State } from '../../../src/core/state.ts';
import type { Subject } from '../../support/model/model-check.ts';
import { type Command, decide } from '../../../src/write/slices.ts';

export interface Mutant {
  readonly name: string;
  readonly subject: Subject;
  /** What the property must say: it must fail for the right reason. */
  readonly noticed: RegExp;
}

type Decide = Subject['decide'];

export const TRANSFERS = /(?:transfers are|outcome is) the model/; // a wrong movement may first show as funds that are not there
export const EVENTS = /events are the model/;
export const OUTCOME = /outcome is the model/;
/** Where what is wrong may first show as something else. */
export const OUTCOME_OR_EVENTS =
  /(?:outcome is|events are|transfers are|fees of \S+ are) the model|payout \S+ is the model/;

export const deciding = (name: string, noticed: RegExp, mutant: Decide): Mutant => ({
  name,
  noticed,
  subject: { decide: mutant, apply },
});

/** The changes of accepted decisions, spoiled. */
export const changing = (
  name: string,
  noticed: RegExp,
  spoil: (changes: readonly Change[], command: Command) => readonly Change[],
): Mutant =>
  deciding(name, noticed, (command, state, context) => {
    const decision = decide(command, state, context);
    if (!decision.accepted) return decision;
    return { ...decision, changes: renumbered(spoil(decision.changes, command), state, context) };
  });

/** Events in sequence again, so that the fault is not given away by a gap. */
function renumbered(changes: readonly Change[], state: State, context: Context): readonly Change[] {
  let last = state.environment.lastSequence;
  return changes.map((change) => {
    if (change.kind !== 'event') return change;
    last += 1n;
    return { kind: 'event', event: { ...change.event, sequence: last, id: context.ids.event(last) } };
  });
}

/** The same environment with some objects replaced: what a check does not see, it cannot refuse. */
export function seenAs(state: State, edit: (object: StoredObject) => StoredObject): State {
  const copy = new State(state.environment);
  for (const table of Object.values(state.tables)) for (const object of table.values()) copy.put(edit(object));
  for (const [externalId, payout] of state.externalIds) copy.externalIds.set(externalId, payout);
  return copy;
}

/** Decides once more, blind to something, whatever was refused with that code. */
export const blind = (
  name: string,
  code: string,
  look: (state: State, command: Command) => State,
  mend = (d: Decided) => d,
): Mutant =>
  deciding(name, OUTCOME, (command, state, context) => {
    const decision = decide(command, state, context);
    if (decision.accepted || decision.refusal.code !== code) return decision;
    return mend(decide(command, look(state, command), context));
  });

const isKind = (kind: Change['kind']) => (change: Change) => change.kind === kind;
const without = (changes: readonly Change[], index: number) => changes.filter((_, at) => at !== index);
const isBalanceEvent = (change: Change) => change.kind === 'event' && change.event.type === 'balance.updated';
const editTransfers = (changes: readonly Change[], edit: (transfer: Transfer) => Transfer): readonly Change[] =>
  changes.map((change) => (change.kind === 'transfer' ? { ...change, transfer: edit(change.transfer) } : change));

export const RICH = 10n ** 12n;
/** Takes away again what an account was only believed to hold. */
function poorer(decision: Decided): Decided {
  if (!decision.accepted) return decision;
  const less = (object: Account): Account => ({ ...object, balance: object.balance - RICH });
  const changes = decision.changes.map((change): Change => {
    if (change.kind === 'object' && change.object.object === 'account')
      return { ...change, object: less(change.object) };
    if (change.kind === 'transfer' && change.transfer.debitBalanceAfter !== null) {
      return {
        ...change,
        transfer: { ...change.transfer, debitBalanceAfter: change.transfer.debitBalanceAfter - RICH },
      };
    }
    return change;
  });
  return { ...decision, changes };
}

export const MUTANTS: readonly Mutant[] = [
  changing('drops a transfer', TRANSFERS, (changes) => without(changes, changes.findLastIndex(isKind('transfer')))),
  changing('writes a transfer twice', TRANSFERS, (changes) =>
    changes.flatMap((change): Change[] => (change.kind === 'transfer' ? [change, change] : [change])),
  ),
  changing('moves one unit more', TRANSFERS, (changes) =>
    editTransfers(changes, (transfer) => ({ ...transfer, amount: transfer.amount + 1n })),
  ),
  changing('swaps the sides', TRANSFERS, (changes) =>
    editTransfers(changes, (transfer) => ({
      ...transfer,
      debitAccount: transfer.creditAccount,
      creditAccount: transfer.debitAccount,
    })),
  ),
  changing('tells the balance before instead of after', /tells the balance after/, (changes) =>
    editTransfers(changes, (transfer) => ({
      ...transfer,
      debitBalanceAfter: transfer.debitBalanceAfter === null ? null : transfer.debitBalanceAfter + transfer.amount,
    })),
  ),
  changing('forgets an event', EVENTS, (changes) => without(changes, changes.findIndex(isKind('event')))),
  changing('tells a balance twice', EVENTS, (changes) =>
    changes.flatMap((change): Change[] => (isBalanceEvent(change) ? [change, change] : [change])),
  ),
  changing('tells the new balance as the old one', /one balance.updated/, (changes) =>
    changes.map((change) =>
      change.kind === 'event' && change.event.previous?.['balance'] !== undefined
        ? { ...change, event: { ...change.event, previous: { balance: (change.event.object as Account).balance } } }
        : change,
    ),
  ),
  changing('names no transfer behind a balance', /one balance.updated/, (changes) =>
    changes.map((change) =>
      isBalanceEvent(change) && change.kind === 'event'
        ? { ...change, event: { ...change.event, transfer: null } }
        : change,
    ),
  ),
  changing('moves one side of an exchange', TRANSFERS, (changes, command) =>
    command.type === 'create_exchange' ? without(changes, changes.findIndex(isKind('transfer'))) : changes,
  ),
  changing('pays in another currency without taking the source', TRANSFERS, (changes, command) =>
    command.type === 'create_payout' && command.order.conversion
      ? without(changes, changes.findIndex(isKind('transfer')))
      : changes,
  ),
  deciding(
    'fixes the other side of a payout in another currency',
    /(?:transfers are|outcome is|events are) the model/,
    (command, state, context) => {
      if (command.type !== 'create_payout' || !command.order.conversion) return decide(command, state, context);
      const { conversion } = command.order;
      if (conversion.quote !== null) return decide(command, state, context);
      const fixedSide = conversion.fixedSide === 'buy' ? 'sell' : 'buy';
      return decide(
        { ...command, order: { ...command.order, conversion: { ...conversion, fixedSide } } },
        state,
        context,
      );
    },
  ),
  changing('forgets the fee of a payout', TRANSFERS, (changes) => withoutCause(changes, 'payout_fee')),
  changing('keeps the fee of a payout that came to nothing', TRANSFERS, (changes) =>
    withoutCause(changes, 'payout_fee_reversal'),
  ),
  changing('charges a unit too much', TRANSFERS, (changes) =>
    editTransfers(changes, (transfer) =>
      transfer.cause.endsWith('_fee') ? { ...transfer, amount: transfer.amount + 1n } : transfer,
    ),
  ),
  deciding('forgets what fee a quote promised', OUTCOME_OR_EVENTS, (command, state, context) =>
    decide(
      command,
      seenAs(state, (object) => (object.object === 'exchange_quote' ? { ...object, fees: [] } : object)),
      context,
    ),
  ),
  deciding('takes the widest fee', OUTCOME_OR_EVENTS, (command, state, context) =>
    decide(
      command,
      withFees(state, (fee) => fee.scheme === null && fee.buyCurrency === null && fee.paymentLink === null),
      context,
    ),
  ),
  changing('takes up what waits and debits nobody', TRANSFERS, (changes, command) =>
    command.type === 'fund_payout' ? changes.filter((change) => change.kind !== 'transfer') : changes,
  ),
  deciding('takes up what has waited too long', OUTCOME_OR_EVENTS, (command, state, context) =>
    decide(
      command,
      seenAs(state, (object) =>
        object.object === 'payout' && object.status === 'waiting' ? { ...object, waitUntilOn: '2999-12-31' } : object,
      ),
      context,
    ),
  ),
  changing('gives a quote a unit too much', TRANSFERS, (changes) =>
    changes.map((change) =>
      change.kind === 'object' && change.isNew && change.object.object === 'exchange_quote'
        ? { ...change, object: { ...change.object, buyAmount: change.object.buyAmount + 1n } }
        : change,
    ),
  ),
  changing('forgets to count a payout out of its batch', /counts its payouts/, (changes) =>
    changes.filter((change) => change.kind !== 'object' || change.object.object !== 'payout_batch' || change.isNew),
  ),
  changing('keeps a quote unused', /Expected values to be strictly equal|outcome is the model/, (changes) =>
    changes.filter((change) => change.kind !== 'object' || change.object.object !== 'exchange_quote' || change.isNew),
  ),
  deciding('leaves a gap in the sequence', /sequence has no gap/, (command, state, context) =>
    decide(command, seenGap(state), context),
  ),
  deciding('takes money before it refuses', /deciding changes nothing/, (command, state, context) => {
    const decision = decide(command, state, context);
    const id = decision.accepted ? undefined : decision.refusal.details.resource_id;
    const account = id === undefined ? undefined : state.tables.account.get(id);
    if (account) state.put({ ...account, balance: account.balance - 1n });
    return decision;
  }),
  deciding('makes the good half of an atomic batch', OUTCOME, (command, state, context) =>
    decide(command.type === 'create_payout_batch' ? { ...command, mode: 'partial' } : command, state, context),
  ),
  deciding('cancels one payout of a batch', OUTCOME_OR_EVENTS, (command, state, context) => {
    const pending = [...state.tables.payout.values()].find(
      ({ batch, status }) => command.type === 'cancel_payout_batch' && batch === command.batch && status === 'pending',
    );
    return decide(pending ? { type: 'cancel_payout', payout: pending.id } : command, state, context);
  }),
  deciding('pays from the youngest account', OUTCOME_OR_EVENTS, (command, state, context) => {
    if (command.type !== 'create_payout' || command.order.account !== null) return decide(command, state, context);
    const youngest = [...(state.openAccounts.get(command.order.currency) ?? [])].at(-1) ?? null;
    return decide({ ...command, order: { ...command.order, account: youngest } }, state, context);
  }),
  blind(
    'skips the funds check',
    'balance_insufficient',
    (state) =>
      seenAs(state, (object) => (object.object === 'account' ? { ...object, balance: object.balance + RICH } : object)),
    poorer,
  ),
  blind('cancels what is on its way', 'payout_not_cancelable', (state) =>
    seenAs(state, (object) => (object.object === 'payout' ? { ...object, status: 'pending' } : object)),
  ),
  blind('pays what has failed', 'payout_state_invalid', (state) =>
    seenAs(state, (object) => (object.object === 'payout' ? { ...object, status: 'in_transit' } : object)),
  ),
  blind('uses a quote twice', 'quote_already_used', (state) =>
    seenAs(state, (object) => (object.object === 'exchange_quote' ? { ...object, exchangeId: null } : object)),
  ),
  blind('honours an expired quote', 'quote_expired', (state) =>
    seenAs(state, (object) =>
      object.object === 'exchange_quote' ? { ...object, expiresAt: Number.MAX_SAFE_INTEGER } : object,
    ),
  ),
  blind('takes an external id twice', 'external_id_used', (state) => {
    const copy = seenAs(state, (object) => object);
    copy.externalIds.clear();
    return copy;
  }),
  blind('fills an account beyond the largest balance', 'balance_too_large', (state) =>
    seenAs(state, (object) => (object.object === 'account' ? { ...object, balance: object.balance / 2n } : object)),
  ),
  blind('pays an archived recipient', 'recipient_archived', (state) =>
    seenAs(state, (object) => (object.object === 'recipient' ? { ...object, status: 'active' } : object)),
  ),
  {
    name: 'loses a balance on its way into the state',
    noticed: /is the sum of its transfers/,
    subject: {
      decide,
      apply: (state, changes, origin) =>
        apply(
          state,
          changes.filter((change) => {
            if (change.kind !== 'object' || change.object.object !== 'account' || change.isNew) return true;
            return change.object.balance === state.tables.account.get(change.object.id)?.balance;
          }),
          origin,
        ),
    },
  },
  {
    name: 'forgets external ids on their way into the state',
    noticed: /Expected values to be strictly deep-equal/,
    subject: {
      decide,
      apply: (state, changes, origin) => {
        apply(state, changes, origin);
        state.externalIds.clear();
      },
    },
  },
];

function withoutCause(changes: readonly Change[], cause: Transfer['cause']): readonly Change[] {
  return changes.filter((change) => change.kind !== 'transfer' || change.transfer.cause !== cause);
}

function withFees(state: State, keeps: (fee: FeeRule) => boolean): State {
  const copy = seenAs(state, (object) => object);
  const kept = state.environment.fees.filter(keeps);
  copy.environment = { ...state.environment, fees: kept };
  return copy;
}

function seenGap(state: State): State {
  const copy = seenAs(state, (object) => object);
  copy.environment = { ...state.environment, lastSequence: state.environment.lastSequence + 1n };
  return copy;
}
