/** Parameters of requests about entries of banks. */
import { amount, id, list, object, optional, params, text } from '../../platform/http/request/params.ts';
import { MOST_ASSIGNMENTS } from './fields.ts';

const reason = optional(text({ max: 200, description: 'Why; kept with it.', example: 'Customer asked' }));

const target = object(
  {
    to: text({
      kind: 'code',
      max: 40,
      pattern: /^(?:(?:acct|po|pay|xp|ba|bf)_[0-7][0-9a-hjkmnp-tv-z]{25}|fees|fx)$/,
      shape: 'the id of an account, payout, payment, expected payment, bank account or bank file, or fees or fx',
      description:
        'Where it goes: an account, a payment, an expected payment, a payout (its debit, or what came back of it), another bank account of yours, `fees` or `fx`; or a bank file: the debit of its payouts that are under way, as a whole.',
      example: 'fees',
    }),
    amount: optional(amount({ description: 'Major units. Without it all that is left.', example: '100' })),
  },
  { description: 'A part of the entry.' },
);

export const assignParams = params({
  assignments: list(target, { min: 1, max: MOST_ASSIGNMENTS, description: 'In order, all of them or none.' }),
  reason,
});

export const assignEntriesParams = params({
  entries: list(
    object(
      {
        entry: id('be', { description: 'The entry; each once.' }),
        to: text({
          kind: 'code',
          max: 40,
          pattern: /^(?:(?:acct|po|pay|xp|ba)_[0-7][0-9a-hjkmnp-tv-z]{25}|fees|fx)$/,
          shape: 'the id of an account, payout, payment, expected payment or bank account, or fees or fx',
          description: 'Where it goes, as in an assignment.',
          example: 'fees',
        }),
        amount: optional(amount({ description: 'Major units. Without it all that is left.', example: '100' })),
      },
      { description: 'An entry, and where it goes.' },
    ),
    { min: 1, max: 100, description: 'In order, all of them or none.' },
  ),
  reason,
});

export const returnParams = params({
  account: optional(
    id('acct', {
      description: 'The account that it is paid out from; the oldest open one of its currency, unless it is said.',
    }),
  ),
  recipient: optional(id('rcp', { description: 'Whom it goes to; the IBAN that it came from, unless it is said.' })),
  reason,
});

export const creditParams = params({
  bank_account: id('ba', { description: 'The bank account that it comes to.' }),
  amount: amount({ description: 'Major units of its currency.', example: '119' }),
  text: optional(
    text({ max: 1_000, description: 'What the payer writes, with references or without.', example: 'Invoice 17' }),
  ),
  name: optional(text({ kind: 'name', max: 140, description: 'Name of the payer.', example: 'Example AG' })),
  iban: optional(
    text({
      kind: 'code',
      max: 34,
      pattern: /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/,
      shape: 'an IBAN in upper case without blanks',
      description: 'Account of the payer.',
      example: 'NL91ABNA0417164300',
    }),
  ),
});

export const unassignParams = params({
  transfer: optional(
    id('trf', { description: 'The transfer of the part, from `assignments`. Without it the last part.' }),
  ),
  reason,
});
