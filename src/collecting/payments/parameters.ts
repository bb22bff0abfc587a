/** What requests about payment links and payments may say. Answers: `schema.ts`. */
import type { Currency } from '../../core/values/currencies.ts';
import * as param from '../../platform/http/request/params.ts';
import { parseUrl } from '../../core/values/url.ts';
import type { Asked, CreatePaymentLink, UpdatePaymentLink } from './link-decide.ts';

const URL_MAX_CHARACTERS = 2_000;
const MAX_PAYMENTS = 1_000_000;
/** Year 9999. */
const MAX_SECONDS = 253_402_300_799;

const redirect = param.url({
  max: URL_MAX_CHARACTERS,
  clearable: true,
  description:
    'Where the payer goes after paying. `https://`; in the sandbox `http://` as well. An empty value or null unsets it.',
  example: 'https://shop.example.com/thanks',
});

const words = (max: number, description: string) => param.text({ max, clearable: true, description });
/** `fields`: what may be left out of a new link, or what may be changed. */
const completion = (fields: typeof param.optional) =>
  param.unsettable(
    param.object(
      fields({
        redirect: param.unsettable(
          param.object(fields({ url: redirect }), {
            description: 'A button on the receipt that leads the payer on. Null removes it.',
          }),
        ),
        message: words(500, 'A text on the receipt. An empty value or null unsets it.'),
      }),
      { description: 'The receipt that the payer sees after paying. Null unsets what it says.' },
    ),
  );

const changing = {
  max_payments: param.unsettable(
    param.integer({
      min: 1,
      max: MAX_PAYMENTS,
      description: 'How many payments a reusable link takes at most. Null: any number.',
    }),
  ),
  expires_at: param.unsettable(
    param.integer({
      min: 0,
      max: MAX_SECONDS,
      description: 'From this instant no payment can be started. Unix seconds. Null: it does not expire.',
    }),
  ),
  description: words(500, 'What the payment is for; shown to the payer. An empty value or null unsets it.'),
  reference: words(140, 'Your own reference, shown to the payer. An empty value or null unsets it.'),
  customer_email: param.email({
    clearable: true,
    description: 'The payer’s e-mail address. An empty value or null unsets it.',
  }),
  metadata: param.metadata(),
};
const newLink = param.optional({ ...changing, after_completion: completion(param.optional) });
const changes = param.changes({ ...changing, after_completion: completion(param.changes) });

export const createPaymentLinkParams = param.params(
  {
    amount_type: param.withDefault(
      param.oneOf(['fixed', 'open'], {
        description: '`fixed`: the link has an `amount`. `open`: the payer chooses the amount.',
      }),
      'fixed',
    ),
    ...param.optional({
      amount: param.amount({ description: 'In major units: 250, 250.0 or 250.00.', example: 250 }),
      minimum_amount: param.amount({ description: 'The least that a payer may choose; with `amount_type=open`.' }),
      maximum_amount: param.amount({ description: 'The most that a payer may choose; with `amount_type=open`.' }),
    }),
    currency: param.currency({ description: 'ISO 4217 code.' }),
    ...param.optional({
      account: param.id('acct', {
        description: 'Account to credit; by default the currency’s oldest open one. If there is none, one is opened.',
      }),
      reusable: param.withDefault(param.boolean({ description: 'Take several payments instead of one.' }), false),
      ...newLink,
      dry_run: param.dryRun,
    }),
  },
  ({ amount_type: type, amount: fixed, minimum_amount: least, maximum_amount: most, reusable, max_payments: max }) => {
    if (type === 'fixed' && fixed === undefined) {
      throw param.paramError(
        'parameter_missing',
        'amount',
        'amount is missing; or let the payer choose with amount_type=open.',
      );
    }
    const conflict = (name: string, why: string) => param.paramError('parameter_conflict', name, `${name} ${why}`);
    if (type === 'open' && fixed !== undefined) throw conflict('amount', 'does not go with amount_type=open.');
    if (type === 'fixed' && least !== undefined) throw conflict('minimum_amount', 'needs amount_type=open.');
    if (type === 'fixed' && most !== undefined) throw conflict('maximum_amount', 'needs amount_type=open.');
    if ((max ?? null) !== null && !reusable) throw conflict('max_payments', 'needs reusable=true.');
  },
);

export const updatePaymentLinkParams = param.params(changes);

export const updatePaymentParams = param.changesParams({ metadata: param.metadata() });

export const refundPaymentParams = param.optionalParams({
  amount: param.amount({ description: 'In major units; by default the rest of the payment.', example: 250 }),
  recipient: param.id('rcp', {
    description: 'The recipient of the refund; by default the account that the payment came from.',
  }),
});

export const payPaymentLinkParams = param.optionalParams({
  amount: param.amount({
    description: 'The amount that the invented payer sends, in major units; by default the missing amount.',
    example: 250,
  }),
});

/** Throws `amount_…`, and `parameter_conflict` for bounds the wrong way round. */
export function askedIn(body: ReturnType<typeof createPaymentLinkParams.parse>): Asked {
  const minor = (name: 'amount' | 'minimum_amount' | 'maximum_amount', of: Currency) => {
    const written = body[name];
    return written === undefined ? null : param.amountIn(of, written, name);
  };
  const asked = {
    amount: minor('amount', body.currency),
    minimum: minor('minimum_amount', body.currency),
    maximum: minor('maximum_amount', body.currency),
  };
  if (asked.minimum !== null && asked.maximum !== null && asked.minimum > asked.maximum) {
    throw param.paramError('parameter_conflict', 'maximum_amount', 'maximum_amount is below minimum_amount.');
  }
  return asked;
}

type Texts = Pick<UpdatePaymentLink, 'description' | 'reference' | 'customerEmail' | 'redirectUrl' | 'message'>;

/** `undefined`: not given; `null`: unset. Throws `redirect_url_invalid`. */
export function textsIn(body: param.Parsed<typeof newLink>, livemode: boolean): Texts {
  const or = (given: string | null | undefined) => (given === undefined ? undefined : given || null);
  const { after_completion: completion } = body;
  const { redirect: button, message } = completion ?? { redirect: completion, message: completion };
  const redirect = or(button === null ? null : button?.url);
  if (typeof redirect === 'string') checkRedirect(redirect, livemode);
  return {
    description: or(body.description),
    reference: or(body.reference),
    customerEmail: or(body.customer_email),
    redirectUrl: redirect,
    message: or(message),
  };
}

/** The same for a new link, where nothing was there before. */
export function newTextsIn(
  body: param.Parsed<typeof newLink>,
  livemode: boolean,
): Pick<CreatePaymentLink, keyof Texts> {
  const given = Object.entries(textsIn(body, livemode));
  return Object.fromEntries(given.map(([name, text]) => [name, text ?? null])) as Record<keyof Texts, string | null>;
}

/** A link of the page must not run a script or leak in clear what it was paid for. */
function checkRedirect(given: string, livemode: boolean): void {
  const path = 'after_completion[redirect][url]';
  const parsed = parseUrl(given);
  const allowed = livemode ? ['https:'] : ['https:', 'http:'];
  if (parsed && allowed.includes(parsed.protocol) && parsed.username === '' && parsed.password === '') return;
  const must = livemode ? 'an https:// address' : 'an https:// or http:// address';
  throw param.paramError('redirect_url_invalid', path, `${path} must be ${must} without user name and password.`);
}
