/** Files for banks, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { HIDDEN, slice } from '../../core/slice.ts';
import { abandonPaymentFile, claimPayouts, openPaymentFiles, releasePayouts, sealPaymentFile } from './decide.ts';
import { PAYMENT_FILE } from './fields.ts';
import { renderExport } from './schema.ts';
import { PAYMENT_FILE_CONTENTS, PAYMENT_FILES, BANK_INSTRUCTIONS } from './sql.ts';

/** A file, and where its payouts stand in it. */
function needsOfFile(need: ReadSet, file: string, payouts: readonly string[] = []): void {
  need.all('bankAccountsOf');
  need.keys('paymentFiles', file);
  need.reported(payouts);
}

export const paymentFiles = slice({
  decisions: {
    open_payment_files: openPaymentFiles,
    claim_payouts: claimPayouts,
    seal_payment_file: sealPaymentFile,
    abandon_payment_file: abandonPaymentFile,
    release_payouts: releasePayouts,
  },
  needs: {
    open_payment_files: (need) => {
      need.all('bankAccountsOf');
      need.all('fillingOf');
    },
    claim_payouts: (need, { file, payouts }) => needsOfFile(need, file, payouts),
    seal_payment_file: (need, { file }) => needsOfFile(need, file),
    abandon_payment_file: (need, { file, makers }) => {
      needsOfFile(need, file);
      need.all('familiesOf');
      need.keys('apiKeys', ...(makers ?? []).filter((maker) => maker.startsWith('key_')));
      need.keys('users', ...(makers ?? []).filter((maker) => maker.startsWith('usr_')));
    },
    release_payouts: (need, { file, payouts }) => needsOfFile(need, file, payouts),
  },
  audited: ['open_payment_files', 'seal_payment_file', 'abandon_payment_file'],
  tables: {
    payment_file: PAYMENT_FILES,
    bank_instruction: BANK_INSTRUCTIONS,
    payment_file_content: PAYMENT_FILE_CONTENTS,
  },
  objects: { payment_file: PAYMENT_FILE, bank_instruction: HIDDEN, payment_file_content: HIDDEN },
  replies: {
    payment_file_export: (reply, livemode) => renderExport(reply, livemode),
  },
});
export type PaymentFileCommand = CommandOf<typeof paymentFiles.decisions>;
