/** Parameters of requests about rules for entries of banks. */
import { MAX_PATTERN } from './bank-rules.ts';
import { ibanOf } from '../../core/rails/iban.ts';
import { invalid, paramError } from '../../platform/http/request/param.ts';
import * as param from '../../platform/http/request/params.ts';
import type { CreateBankRule } from './rule-decide.ts';

const form = param.params({
  name: param.text({
    kind: 'name',
    max: 70,
    description: 'Its purpose; it stands in the assignments.',
    example: 'Card settlements',
  }),
  to: param.text({
    kind: 'code',
    max: 40,
    pattern: /^(?:(?:acct|ba)_[0-7][0-9a-hjkmnp-tv-z]{25}|fees|fx)$/,
    shape: 'the id of an account or a bank account, or fees or fx',
    description: 'Where the entries go: an account, another bank account of yours, `fees` or `fx`.',
    example: 'fees',
  }),
  ...param.optional({
    bank_account: param.id('ba', { description: 'Only entries of this bank account.' }),
    direction: param.oneOf(['credit', 'debit'], { description: 'Only money that came in, or went out.' }),
    currency: param.currency({ description: 'Only entries of this currency. Amounts need it.' }),
    transaction_code: param.text({
      kind: 'code',
      max: MAX_PATTERN,
      description:
        'Only entries of this `transaction_code`: domain, family and subfamily, or the code of your bank. `*` stands for any characters, `?` for one.',
      example: 'PMNT-CCRD-*',
    }),
    iban: param.text({
      kind: 'code',
      max: 42,
      description: 'Only entries from, or to, this account.',
      example: 'DE89370400440532013000',
    }),
    text: param.text({
      max: MAX_PATTERN,
      description:
        'Only entries whose name and text, with a blank between, match this pattern as a whole. `*` stands for any characters, `?` for one; case does not matter.',
      example: '*card settlement*',
    }),
    min_amount: param.amount({ description: 'Only entries of at least this, major units.', example: '1' }),
    max_amount: param.amount({ description: 'Only entries of at most this, major units.', example: '500' }),
  }),
  dry_run: param.dryRun,
});

type Body = ReturnType<(typeof form)['parse']>;

/** At least one of `transaction_code`, `iban` and `text` is given; the IBAN comes out without blanks. */
export const createRuleParams: typeof form = {
  ...form,
  parse(tree) {
    const body = form.parse(tree);
    if (body.transaction_code === undefined && body.iban === undefined && body.text === undefined) {
      throw paramError(
        'parameter_missing',
        'text',
        'Give at least one of transaction_code, iban and text: a rule that asks for none of them would take everything.',
      );
    }
    for (const name of ['min_amount', 'max_amount'] as const) {
      if (body[name] === undefined) continue;
      if (body.currency === undefined) {
        throw paramError('parameter_missing', 'currency', `With \`${name}\`, give the currency that it is in.`);
      }
      param.amountIn(body.currency, body[name], name);
    }
    if (body.iban === undefined) return body;
    const iban = ibanOf(body.iban);
    if (iban === null) throw invalid('iban', body.iban, 'an IBAN with right check digits');
    return { ...body, iban };
  },
};

export function ruleFrom(body: Body): CreateBankRule['rule'] {
  const amount = (name: 'min_amount' | 'max_amount') => {
    const [text, { currency }] = [body[name], body];
    return text === undefined || currency === undefined ? null : param.amountIn(currency, text, name);
  };
  return {
    name: body.name,
    bankAccount: body.bank_account ?? null,
    direction: body.direction ?? null,
    currency: body.currency?.code ?? null,
    transactionCode: body.transaction_code ?? null,
    iban: body.iban ?? null,
    textPattern: body.text ?? null,
    least: amount('min_amount'),
    most: amount('max_amount'),
    target: body.to,
  };
}
