/** Files for banks, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { HIDDEN, slice } from '../../core/slice.ts';
import { abandonBankFile, claimPayouts, openBankFiles, releasePayouts, sealBankFile } from './decide.ts';
import { BANK_FILE } from './fields.ts';
import { renderExport } from './schema.ts';
import { BANK_FILE_CONTENTS, BANK_FILES, BANK_INSTRUCTIONS } from './sql.ts';

/** A file, and where its payouts stand in it. */
function needsOfFile(need: ReadSet, file: string, payouts: readonly string[] = []): void {
  need.all('bankAccountsOf');
  need.keys('bankFiles', file);
  need.reported(payouts);
}

export const paymentFiles = slice({
  decisions: {
    open_bank_files: openBankFiles,
    claim_payouts: claimPayouts,
    seal_bank_file: sealBankFile,
    abandon_bank_file: abandonBankFile,
    release_payouts: releasePayouts,
  },
  needs: {
    open_bank_files: (need) => {
      need.all('bankAccountsOf');
      need.all('fillingOf');
    },
    claim_payouts: (need, { file, payouts }) => needsOfFile(need, file, payouts),
    seal_bank_file: (need, { file }) => needsOfFile(need, file),
    abandon_bank_file: (need, { file, makers }) => {
      needsOfFile(need, file);
      need.all('familiesOf');
      need.keys('apiKeys', ...(makers ?? []).filter((maker) => maker.startsWith('key_')));
    },
    release_payouts: (need, { file, payouts }) => needsOfFile(need, file, payouts),
  },
  audited: ['open_bank_files', 'seal_bank_file', 'abandon_bank_file'],
  tables: { bank_file: BANK_FILES, bank_instruction: BANK_INSTRUCTIONS, bank_file_content: BANK_FILE_CONTENTS },
  objects: { bank_file: BANK_FILE, bank_instruction: HIDDEN, bank_file_content: HIDDEN },
  replies: {
    bank_export: (reply, livemode) => renderExport(reply, livemode),
  },
});
export type BankFileCommand = CommandOf<typeof paymentFiles.decisions>;
