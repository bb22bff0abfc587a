/** What a person decides where no report of a bank does, as the write path knows it. */
import type { CommandOf } from '../../core/decision.ts';
import { slice } from '../../core/slice.ts';
import type { BankStatementCommand } from '../statements/slice.ts';
import { resolvePayout } from './resolve-decide.ts';
import { returnBankEntry } from './return-decide.ts';

export const matching = slice({
  decisions: { resolve_payout: resolvePayout, return_bank_entry: returnBankEntry },
  needs: {
    resolve_payout: (need, { payout }) => {
      need.all('bankAccountsOf');
      need.all('familiesOf');
      need.reported([payout]);
    },
    return_bank_entry: (need, { entry, account, currency, recipient }) => {
      need.keys('bankEntries', entry);
      need.account(account, currency);
      need.keys('recipients', recipient);
    },
  },
  audited: ['resolve_payout', 'return_bank_entry'],
});
/** Entries are assigned from the queue by the commands of statements. */
export type MatchingCommand = CommandOf<typeof matching.decisions> | BankStatementCommand;
