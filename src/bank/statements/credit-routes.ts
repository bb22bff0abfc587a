/** Sandbox: money that somebody sends to a bank account, without a file. Decision: `decide.ts`. */
import { currencyOf, type Currency } from '../../core/values/currencies.ts';
import { idOf, newId, uuidOf } from '../../core/values/ids.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';
import { environmentNow } from '../../platform/http/clock.ts';
import { amountIn, pathId } from '../../platform/http/request/params.ts';
import { AMOUNT_ERRORS, answers, type Route, routesOf } from '../../platform/http/route.ts';
import { missing, type Service } from '../../platform/http/service.ts';
import type { BankStatementCommand } from './slice.ts';
import { type BankMessage, NOTHING_EXPLAINED } from './fields.ts';
import { creditParams } from './parameters.ts';
import { namedIn } from '../../core/rails/named-references.ts';
import { ENTRY_EXAMPLE } from './schema.ts';
import { bankAccountOf, lastDayReported } from './sql.ts';

const helper = routesOf('Test helpers', 'test_helpers');

export function creditRoutes(service: Service<BankStatementCommand>): Route[] {
  return [
    helper('creditBankAccount', 'POST /v1/test_helpers/bank_accounts/:id/credit', {
      summary: 'Let somebody send money to a bank account',
      description:
        'The sandbox bank books it like a statement with this one entry. The money goes to the payment, expected payment or account that `text` names, or where a rule sends it, or waits for a person.',
      body: creditParams,
      request: {
        amount: 119,
        text: 'Invoice 17 RF28 K3W2 M6R5 T7XA 1',
        name: 'Example AG',
      },
      response: answers('BankEntry', ENTRY_EXAMPLE),
      errors: [...AMOUNT_ERRORS, 'resource_missing', 'bank_account_closed'],
      handle: async (call) => {
        const { environmentId } = call.caller;
        const bankAccount = pathId(call, 'ba');
        const { amount: written, text = null, name = null, iban = null } = call.body;
        const [row] = await service.rows(bankAccountOf(environmentId, bankAccount));
        if (!row) throw missing('bank account', bankAccount);
        const amount = amountIn(currencyOf(row['currency'] as string) as Currency, written, 'amount');
        const [last] = await service.rows(lastDayReported(environmentId, idOf('ba', row['id'] as string)));
        const today = isoDay(await environmentNow(service, environmentId));
        const after = (last?.['day'] as string | null | undefined) ?? null;
        // A statement of its own day, so that it follows on the one before.
        const next = after === null ? today : isoDay(dayStartMs(after) + DAY_MS);
        const day = next > today ? next : today;
        const days = { startsOn: day, openedOn: day, closedOn: day };
        return service.write(call, {
          type: 'credit_by_bank',
          bankAccount,
          sha256: newIdentity(),
          statement: {
            message: row['booked_by'] as BankMessage,
            reference: null,
            sequence: null,
            page: null,
            entriesFrom: null,
            entriesUntil: null,
            periodFrom: null,
            periodUntil: null,
            ...days,
            series: newIdentity(),
            messageInFile: 1,
            identity: newIdentity(),
          },
          line: {
            position: 1,
            direction: 'credit',
            amount,
            bookedOn: day,
            valueOn: day,
            explanation: { ...NOTHING_EXPLAINED, name, account: iban, text, transactionCode: 'PMNT-RCDT-ESCT' },
            payouts: [],
            file: null,
            references: namedIn(text ?? ''),
          },
        });
      },
    }),
  ];
}

/** A hash that no file of a bank has: in hex, as long as SHA-256. */
const newIdentity = (): string => [newId('sf'), newId('sf')].map((id) => uuidOf(id).replaceAll('-', '')).join('');
