/**
 * The page in English, and what the words of every language have to be. Numbers and names are parameters. Next:
 * `render.ts`.
 */
import { html, type Html } from './html.ts';
import type { NoticeCode, PageState } from './view.ts';

export const ENGLISH = {
  /** In the title of the window, beside the merchant's name. */
  title: {
    open: 'Payment',
    waiting: 'Waiting for your payment',
    partially_paid: 'Partly paid',
    paid: 'Paid',
    failed: 'Payment failed',
    expired: 'Payment link expired',
    canceled: 'Payment link canceled',
    used_up: 'Payment link used up',
  } satisfies Record<PageState, string>,
  /** The headline; an amount follows the first four. */
  headline: {
    open: 'Your payment',
    waiting: 'Please transfer',
    partially_paid: 'Still to be paid',
    paid: 'Paid',
    failed: 'The payment failed',
    expired: 'This payment link has expired',
    canceled: 'This payment link was canceled',
    used_up: 'This payment link has been used up',
    card_waiting: 'Your card payment is being confirmed',
    refunded: 'Refunded',
  } satisfies Record<PageState | 'card_waiting' | 'refunded', string>,
  testMode: 'Test mode',
  languages: 'Language',
  /** Who is paid: address, contact and links below the page. */
  company: 'Company',
  legal: 'Legal notice',
  privacy: 'Privacy',
  amount: 'Amount',
  /** What the merchant wants paid, such as "Invoice 4711". */
  regarding: 'Regarding',
  validUntil: 'Valid until',
  /** `{}` is hours, minutes and seconds. */
  timeLeft: '{} left',
  between: (minimum: string, maximum: string) => `Between ${minimum} and ${maximum}.`,
  atLeast: (amount: string) => `At least ${amount}.`,
  atMost: (amount: string) => `At most ${amount}.`,
  how: 'How would you like to pay?',
  payBy: { bank_transfer: 'Pay by bank transfer', card: 'Pay by card' },
  payByNote: {
    bank_transfer: 'Bank transfer: you see the bank details and a reference next, and pay in your own banking app.',
    card: 'Card: you enter its details on the page of our card processor.',
  },
  noWay: (merchant: Html) => html`There is no way to pay here at the moment. Please contact ${merchant}.`,
  otherWay: 'Another way to pay',
  insteadBy: { bank_transfer: 'Pay by bank transfer instead', card: 'Pay by card instead' },
  cardAgain: 'Back to the card payment',
  bankDetails: 'Bank details',
  /** In the order of the page. */
  bankFields: {
    account_holder: 'Account holder',
    iban: 'IBAN',
    bic: 'BIC',
    account_number: 'Account number',
    routing_number: 'Routing number',
    sort_code: 'Sort code',
    bsb: 'BSB',
    ifsc: 'IFSC',
    clabe: 'CLABE',
    bank_name: 'Bank',
  },
  noBankDetails: (merchant: Html) => html`The bank details cannot be shown at the moment. Please contact ${merchant}.`,
  /** What the payer's bank calls the reference of a transfer. */
  rf: 'Payment reference',
  rfHint: 'Give exactly this reference. Your payment is recognised by it.',
  qr: 'QR code for banking apps: fills in the account, the amount and the reference of this transfer.',
  qrHint: 'Scan it with your banking app, and the transfer is filled in.',
  qrHintOnPhone: 'Save the picture and open it in your banking app, or scan it from another screen.',
  /** On a phone: the code's picture goes to the app that pays. */
  openInApp: 'Open in banking app',
  savePicture: 'Save picture',
  waiting:
    'We are waiting for your transfer. An instant transfer arrives within seconds, others by the next banking day.',
  cardWaiting: 'This usually takes a few seconds. You need not pay again.',
  checkAgain: 'Check again',
  partlyPaid: (received: string, amount: string) =>
    `${received} of ${amount} has arrived. Please transfer the rest, with the same reference.`,
  receipt: 'Receipt',
  print: 'Print',
  download: 'Download receipt (PDF)',
  paidTo: 'Paid to',
  paidOn: 'Paid on',
  paidBy: 'Paid by',
  method: { bank_transfer: 'Bank transfer', card: 'Card' },
  received: 'Received',
  refunded: 'Refunded',
  overpaid: (amount: string, merchant: Html) =>
    html`${amount} more than the amount was received. Please contact ${merchant} to get it back.`,
  duplicates: (amount: string, merchant: Html) =>
    html`After the payment was complete, another ${amount} arrived. Please contact ${merchant} to get it back.`,
  continueTo: (host: string) => `Continue to ${host}`,
  /** For a payment that was ended after a part of it had come. */
  givenUp: (merchant: Html) =>
    html`This payment was ended. Please contact ${merchant} about the money that was received.`,
  /** Why it ended, and what can be done. */
  ended: {
    failed: (_merchant: Html) => html`No money was received.`,
    expired: (merchant: Html) => html`It can no longer be used to pay. Please ask ${merchant} for a new one.`,
    canceled: (merchant: Html) => html`${merchant} has withdrawn it. Please do not send any money for it.`,
    used_up: (merchant: Html) =>
      html`All its payments have been made. Please send no money for it. If you have sent some already, or still need to pay, please contact ${merchant}.`,
  },
  simulate: 'Simulate the bank',
  simulateNote: 'This is a test: no real money moves. Choose what the bank reports.',
  outcome: { exact: 'Pay exactly', partial: 'Pay partly', twice: 'Pay twice', fail: 'Fail' },
  /** On a page that is paid already. */
  onceMore: 'Pay once more',
  copy: 'Copy',
  copyOf: (label: string) => `Copy: ${label}`,
  copied: 'Copied',
  notice: {
    /** `{}` is an amount with the decimals of the currency. */
    amount_invalid: 'This is not an amount. Please enter digits, such as {}.',
    amount_too_small: 'This amount is too small.',
    amount_too_large: 'This amount is too large.',
    form_expired: 'This page was open for too long, and nothing was sent. Please try again.',
    already_paid: 'This was paid already. There is nothing more to pay.',
    card_unavailable: 'Card payments are not available at the moment. Please choose another way or try again later.',
    try_again: 'That did not work. Please try again.',
  } satisfies Record<NoticeCode, string>,
  /** What is answered instead of a page: no such page, too many requests, our own failure. */
  fault: {
    not_found: {
      title: 'There is no payment page here',
      text: 'Please check that the link is complete, or ask whoever sent it to you.',
    },
    too_many: { title: 'Too many requests', text: 'Please wait a minute, then load this page again.' },
    unavailable: {
      title: 'This page is not available right now',
      text: 'The fault is ours, not yours. Please load this page again in a minute.',
    },
  },
};

export type Words = typeof ENGLISH;
export type Fault = keyof Words['fault'];
export type BankField = keyof Words['bankFields'];
export const BANK_FIELDS = Object.keys(ENGLISH.bankFields) as readonly BankField[];
