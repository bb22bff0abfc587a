/** What the forms of a payment link and of an expected payment hold, and what is sent of them. Pure. */
import { HALF } from '../../ui/half.ts';
import { typedAmount } from '../../ui/typed-amount.ts';

export interface LinkValues {
  /** The payer chooses the amount. */
  readonly isOpen: boolean;
  readonly amount: string;
  readonly minimum: string;
  readonly maximum: string;
  readonly currency: string;
  readonly description: string;
  readonly reference: string;
  readonly account: string;
  readonly isReusable: boolean;
  readonly maxPayments: string;
  /** Unix seconds. */
  readonly expiresAt: number | undefined;
  readonly message: string;
  readonly redirect: string;
}

export interface ExpectedValues {
  readonly amount: string;
  readonly currency: string;
  readonly payer: string;
  readonly description: string;
  /** `2026-12-01`, `''`, or `HALF`. */
  readonly dueOn: string;
  readonly account: string;
}

/** Faults by the parameter. `body`: as the API takes it; `null`: something is missing yet, or wrong. */
export interface Filled {
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly faults: Readonly<Record<string, string>>;
}

/** Members that have something. */
const given = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(texts)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  );

/** Typed amounts by the parameter: as they are sent, in minor units, or why they are none. */
function amountsIn(typed: Readonly<Record<string, string>>, currency: string) {
  const read =
    currency === '' ? [] : Object.entries(typed).map(([name, text]) => [name, typedAmount(text, currency)] as const);
  const good = read.flatMap(([name, each]) => (each.amount === null ? [] : [[name, each] as const]));
  const bad = read.flatMap(([name, { fault }]) => (fault === undefined ? [] : [[name, fault] as const]));
  return {
    amounts: Object.fromEntries<string | undefined>(good.map(([name, { amount }]) => [name, amount])),
    minors: Object.fromEntries<bigint | undefined>(good.map(([name, { minor }]) => [name, minor])),
    faults: Object.fromEntries(bad),
  };
}

/** More than a link ever has is the service's to say. */
const COUNT = /^[1-9]\d{0,8}$/;

export function linkOf(values: LinkValues): Filled {
  const { isOpen, currency, isReusable, expiresAt } = values;
  const typed: Readonly<Record<string, string>> = isOpen
    ? { minimum_amount: values.minimum, maximum_amount: values.maximum }
    : { amount: values.amount };
  const read = amountsIn(typed, currency);
  const faults = { ...read.faults };
  const { minimum_amount: least, maximum_amount: most } = read.minors;
  if (least !== undefined && most !== undefined && least > most) {
    faults['maximum_amount'] = 'The most is below the least.';
  }
  const count = isReusable ? values.maxPayments.trim() : '';
  if (count !== '' && !COUNT.test(count)) faults['max_payments'] = 'A whole number, or nothing.';
  const isMissing = currency === '' || (!isOpen && read.amounts['amount'] === undefined);
  if (isMissing || Object.keys(faults).length > 0) return { body: null, faults };
  const { message, redirect_url: url } = given({ message: values.message, redirect_url: values.redirect });
  const after = { ...(url !== undefined && { redirect: { url } }), ...(message !== undefined && { message }) };
  return {
    faults,
    body: {
      ...(isOpen && { amount_type: 'open' }),
      ...read.amounts,
      currency,
      ...given({ description: values.description, reference: values.reference, account: values.account }),
      ...(isReusable && { reusable: true }),
      ...(count !== '' && { max_payments: Number(count) }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(Object.keys(after).length > 0 && { after_completion: after }),
    },
  };
}

export function expectedOf({ amount, currency, payer, description, dueOn, account }: ExpectedValues): Filled {
  const { amounts, faults } = amountsIn({ amount }, currency);
  if (amounts['amount'] === undefined || dueOn === HALF) return { body: null, faults };
  return { faults, body: { ...amounts, currency, ...given({ payer, description, due_on: dueOn, account }) } };
}
