/** The commands of files for a bank, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import { abandonBankFile, claimPayouts, openBankFiles, releasePayouts, sealBankFile } from './decide.ts';

export const bankFileDecisions = decisions({
  open_bank_files: openBankFiles,
  claim_payouts: claimPayouts,
  seal_bank_file: sealBankFile,
  abandon_bank_file: abandonBankFile,
  release_payouts: releasePayouts,
});
export type BankFileCommand = CommandOf<typeof bankFileDecisions>;
