/**
 * What ids in answers can be expanded into (`platform/http/expand.ts`), and have names in CSV (`platform/http/csv-names.ts`): one line a kind of
 * object. And what actors are called in what people read.
 */
import { ACCOUNTS } from '../ledger/accounts/sql.ts';
import { BANK_ACCOUNT } from '../bank/accounts/fields.ts';
import { BANK_ACCOUNTS } from '../bank/accounts/sql.ts';
import { API_KEY } from '../tenancy/keys/fields.ts';
import { API_KEYS } from '../tenancy/keys/sql.ts';
import { namesOfActors } from '../tenancy/people/sql.ts';
import { ACCOUNT } from '../core/account.ts';
import { actorOf } from '../core/actor.ts';
import { idOf, isId, type Prefix } from '../core/values/ids.ts';
import { TRANSFER } from '../core/transfer.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { EXCHANGE } from '../ledger/exchanges/fields.ts';
import { EXCHANGES } from '../ledger/exchanges/sql.ts';
import { ACTORS, type AllExpansions, type Expansion, type Expansions, FLAGS } from '../platform/http/expand.ts';
import type { Caller } from '../platform/http/route.ts';
import { PAYMENT_LINK } from '../collecting/payments/fields.ts';
import { PAYMENT_LINKS } from '../collecting/payments/sql.ts';
import { PAYOUT_BATCH } from '../paying/payouts/fields.ts';
import { flagsIn, flagsOfPayouts, PAYOUT_BATCHES } from '../paying/payouts/sql.ts';
import { RECIPIENT } from '../paying/recipients/fields.ts';
import { RECIPIENTS } from '../paying/recipients/sql.ts';
import { TRANSFERS } from '../ledger/transfers/sql.ts';
import type { ActorNames } from '../reports/history/routes.ts';
import type { AtRest } from '../write/at-rest.ts';

interface Kind<T> {
  readonly prefix: Prefix;
  render(object: T, livemode: boolean): string;
}
interface Source<T> {
  load(keys: readonly { readonly environmentId: string; readonly id: string }[]): Statement;
  read(row: Row): T;
}

export function expansionsOf(rows: (statement: Statement) => Promise<readonly Row[]>, sealing: AtRest): AllExpansions {
  const expansion = <T extends { readonly id: string }>(
    scope: Expansion['scope'],
    kind: Kind<T>,
    table: Source<T>,
    { open = (stored: T) => stored, isSeen = () => true }: { open?(stored: T): T; isSeen?: Sight<T> } = {},
  ): Expansions => ({
    [kind.prefix]: {
      scope,
      async find(caller: Caller, ids: readonly string[]) {
        const { environmentId, livemode } = caller;
        const found = await rows(table.load(ids.map((id) => ({ environmentId, id }))));
        const objects = found.map((row) => open(table.read(row))).filter((object) => isSeen(object, caller));
        return new Map(objects.map((object) => [object.id, kind.render(object, livemode)]));
      },
    },
  });
  const actors: Expansion = {
    scope: null,
    async find({ environmentId }, ids) {
      const found = await rows(namesOfActors(environmentId, ids));
      const briefs = found.map((row) => ({
        id: actorOf(row['id'] as string) as string,
        name: row['name'],
        kind: row['kind'],
      }));
      return new Map(briefs.map((brief) => [brief.id, JSON.stringify(brief)]));
    },
  };
  const flags: Expansion = {
    scope: null,
    async find({ environmentId, accounts }, ids) {
      const found = await rows(flagsOfPayouts(environmentId, ids, accounts));
      return new Map(found.map((row) => [idOf('po', row['id'] as string), JSON.stringify(flagsIn(row))]));
    },
  };
  return {
    [ACTORS]: actors,
    [FLAGS]: flags,
    ...expansion('accounts:read', ACCOUNT, ACCOUNTS, { isSeen: ({ id }, caller) => sees(caller, id) }),
    ...expansion('transfers:read', TRANSFER, TRANSFERS, {
      isSeen: ({ debitAccount, creditAccount }, caller) => sees(caller, debitAccount) || sees(caller, creditAccount),
    }),
    ...expansion('recipients:read', RECIPIENT, RECIPIENTS, {
      open: (stored) => sealing.recipients.recipient.open(stored),
    }),
    ...expansion('bank_accounts:read', BANK_ACCOUNT, BANK_ACCOUNTS),
    ...expansion('keys:read', API_KEY, API_KEYS),
    ...expansion('exchanges:read', EXCHANGE, EXCHANGES, {
      isSeen: ({ sellAccount, buyAccount }, caller) => sees(caller, sellAccount) && sees(caller, buyAccount),
    }),
    ...expansion('payouts:read', PAYOUT_BATCH, PAYOUT_BATCHES, { isSeen: (_, { accounts }) => accounts === null }),
    ...expansion('payment_links:read', PAYMENT_LINK, PAYMENT_LINKS, {
      open: (stored) => sealing.payments.link.open(stored),
      isSeen: ({ account }, caller) => sees(caller, account),
    }),
  };
}

type Sight<T> = (object: T, caller: Caller) => boolean;
const sees = ({ accounts }: Caller, account: string): boolean => accounts === null || accounts.has(account);

/** Keys by the names that their makers gave them, ended ones too, and people by theirs. */
export function actorNames(rows: (statement: Statement) => Promise<readonly Row[]>): ActorNames {
  return async (environmentId, actors) => {
    const named = actors.filter((actor) => isId('key', actor) || isId('usr', actor));
    const found = named.length === 0 ? [] : await rows(namesOfActors(environmentId, named));
    return new Map(found.map((row) => [actorOf(row['id'] as string) as string, row['name'] as string]));
  };
}
