/**
 * The account to transfer to: its details, the remaining amount, the reference, and for EUR a QR code of them. The page never
 * asks for more than the remaining amount. Content of the QR code: `core/rails/epc.ts`.
 */
import { showAmount, typedAmount } from './amounts.ts';
import { epcPayload } from '../../../core/rails/epc.ts';
import { foreign, html, type Html, type Value } from './html.ts';
import { qrSvg } from './qr.ts';
import type { PagePayment, PageView } from './view.ts';
import { BANK_FIELDS, type BankField, type Words } from './words-en.ts';

/** Minor units still to be paid. */
export function remaining({ amount, received }: PagePayment): bigint {
  return received < amount ? amount - received : 0n;
}

/** In groups of four, as people read and compare numbers. */
export function inFours(text: string): string {
  return text.replace(/(.{4})(?=.)/g, '$1 ');
}

export function account(view: PageView, payment: PagePayment, words: Words): Html {
  const { bank } = payment;
  const { currency, language } = view;
  if (bank === null) return html`<p class="card">${words.noBankDetails(foreign(view.merchant.name))}</p>`;
  const amount = remaining(payment);
  const row = (label: string, shown: Value, copied: string, hint: Html | null = null) =>
    html`<div><dt>${label}</dt><dd><span class="value">${shown}</span><button class="copy" type="button" hidden data-copy="${copied}" aria-label="${words.copyOf(label)}">${words.copy}</button></dd>${hint}</div>`;
  const rows = BANK_FIELDS.map((field) => {
    const value = bank[field];
    return value !== undefined && row(words.bankFields[field], shownAs(field, value), copiedAs(field, value));
  });
  const hint = html`<dd class="muted">${words.rfHint}</dd>`;
  return html`<section class="card account" aria-labelledby="details"><h2 id="details">${words.bankDetails}</h2><dl class="details">
${rows}${row(words.amount, showAmount(amount, currency, language), typedAmount(amount, currency, language))}${row(words.rf, inFours(payment.rf), payment.rf, hint)}
</dl></section>`;
}

function shownAs(field: BankField, value: string): Value {
  if (field === 'iban') return foreign(inFours(compact(value)));
  if (field === 'sort_code') return foreign(value.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3'));
  if (field === 'bsb') return foreign(value.replace(/^(\d{3})(\d{3})$/, '$1-$2'));
  return foreign(value);
}

/** Without blanks: some banks cut an IBAN at the length of their field. */
function copiedAs(field: BankField, value: string): string {
  return field === 'iban' ? compact(value) : value;
}

const compact = (text: string) => text.replace(/\s/g, '');

/** The QR code; `null` where the transfer is no SEPA transfer. */
export function scan({ currency }: PageView, payment: PagePayment, words: Words): Html | null {
  const { account_holder: accountHolder = '', iban, bic } = payment.bank ?? {};
  const payload = epcPayload({ accountHolder, iban, bic, currency, amount: remaining(payment), rf: payment.rf });
  if (payload === null) return null;
  return html`<figure class="card scan">${qrSvg(payload, words.qr)}<figcaption class="muted">${words.qrHint}</figcaption></figure>`;
}
