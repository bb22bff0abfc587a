/** The picture that a banking app reads, as an address of an image. It is asked for only where there can be one. */
import type { ExpectedPayment } from '../../../../client/src/generated/types.ts';
import { sentenceOf } from '../../api/errors.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { whyNoCode } from './words.ts';

interface BankingCode {
  /** `data:image/svg+xml;…` */
  readonly src?: string;
  /** Why there is none. */
  readonly why?: string;
}

export function useBankingCode({
  id,
  currency,
  status,
  amount_received_minor: received,
}: ExpectedPayment): BankingCode {
  const may = useMay();
  const banks = useRead(
    ['bank_accounts', 'collecting', currency],
    async (client) => (await client.bankAccounts.list({ currency, status: 'open', limit: 100 }).page()).data,
    { isOff: !may('bank_accounts:read') },
  );
  const why = banks.data === undefined ? null : whyNoCode(currency, banks.data);
  const shown = (banks.data ?? []).map(({ id: of, holder, bank_details: details }) => ({ of, holder, details }));
  const code = useRead(
    // Asked once for what it shows: when it is paid or canceled there is none any more, and the page may not know yet.
    ['fixed', 'code', id, status, received, ...shown],
    async (client) => btoa(await (await client.expectedPayments.code(id, { format: 'svg' })).text()),
    { isOff: banks.data === undefined || why !== null },
  );
  if (why !== null) return { why };
  if (code.data !== undefined) return { src: `data:image/svg+xml;base64,${code.data}` };
  return code.error === null ? {} : { why: sentenceOf(code.error) };
}
