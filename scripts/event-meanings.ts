/** What each event means, for docs/events.md. The compiler names the type that is missing here. */
import type { EventType } from '../src/core/event-types.ts';

export const EVENT_MEANINGS: Record<
  EventType,
  { readonly when: string; readonly object: string; readonly previous?: string }
> = {
  'account.created': {
    when: 'An account was opened, by request or by an exchange that needed one.',
    object: 'Account',
  },
  'account.updated': {
    when: 'Name or metadata of an account changed.',
    object: 'Account',
    previous: '`name`, `metadata`',
  },
  'account.closed': { when: 'An account was closed.', object: 'Account', previous: '`status`' },
  'balance.updated': {
    when: 'A balance changed. There is one event for each account of a transfer; `data.transfer` names it.',
    object: 'Account',
    previous: '`balance`',
  },
  'exchange.created': { when: 'An exchange was booked.', object: 'Exchange' },
  'exchange.completed': {
    when: 'Both transfers of an exchange are booked. In the same commit as `exchange.created`.',
    object: 'Exchange',
  },
  'exchange.updated': { when: 'Metadata of an exchange changed.', object: 'Exchange', previous: '`metadata`' },
  'payout.created': {
    when: 'A payout was made and its account debited, or it waits for money (`waiting`).',
    object: 'Payout',
  },
  'payout.funded': {
    when: 'The money that a payout waited for has come; its account was debited.',
    object: 'Payout',
    previous: '`status`, `transfer`',
  },
  'payout.in_transit': {
    when: 'A payout is on its way; it can no longer be canceled. Also once more, if the debit that paid it was voided.',
    object: 'Payout',
    previous: '`status`',
  },
  'payout.paid': {
    when: 'A payout arrived, or the entry by which it came back was voided.',
    object: 'Payout',
    previous: '`status`',
  },
  'payout.failed': {
    when: 'A payout did not arrive; its amount was credited back.',
    object: 'Payout',
    previous: '`status`',
  },
  'payout.canceled': {
    when: 'A pending payout was canceled; its amount was credited back.',
    object: 'Payout',
    previous: '`status`',
  },
  'payout.returned': {
    when: 'A paid payout came back; its amount was credited back.',
    object: 'Payout',
    previous: '`status`',
  },
  'payout.updated': {
    when: 'Metadata of a payout changed, or its bank said something of it, or one of the entries that brought it back was voided.',
    object: 'Payout',
    previous: '`metadata`, or `bank_reason`, `accepted_at`, `payee_check`, or `amount_returned_minor`',
  },
  'payout.held': {
    when: 'A rule holds a payout until it is approved. In the same commit as `payout.created`.',
    object: 'Payout',
  },
  'payout.approved': { when: 'A held payout has all its approvals.', object: 'Payout' },
  'payout.rejected': { when: 'A held payout was rejected; `payout.canceled` follows.', object: 'Payout' },
  'payout_batch.created': {
    when: 'A batch was accepted. Each of its payouts has its own events.',
    object: 'PayoutBatch',
  },
  'payout_batch.completed': {
    when: 'The last payout of a batch was paid, failed or canceled.',
    object: 'PayoutBatch',
    previous: '`status`',
  },
  'standing_order.created': { when: 'A standing order was made. No money has moved.', object: 'StandingOrder' },
  'standing_order.updated': { when: 'A standing order changed.', object: 'StandingOrder', previous: 'what changed' },
  'standing_order.paused': {
    when: 'A standing order was paused, by request or after three failures in a row (`paused_reason`).',
    object: 'StandingOrder',
    previous: '`status`',
  },
  'standing_order.resumed': { when: 'A paused standing order goes on.', object: 'StandingOrder', previous: '`status`' },
  'standing_order.canceled': {
    when: 'A standing order was canceled, or the person it pays was erased: `canceled_reason`.',
    object: 'StandingOrder',
    previous: '`status`, `next_run_on`',
  },
  'standing_order.completed': {
    when: 'The last planned day of a standing order has passed. In the same commit as the event of that day.',
    object: 'StandingOrder',
    previous: '`status`',
  },
  'standing_order.run_succeeded': {
    when: 'A planned day made its payout (`last_run_on`, `last_payout`). In the same commit as `payout.created`.',
    object: 'StandingOrder',
    previous: '`next_run_on`',
  },
  'standing_order.run_made_up': {
    when: 'A planned day made its payout late, because no server ran on that day.',
    object: 'StandingOrder',
    previous: '`next_run_on`',
  },
  'standing_order.run_failed': {
    when: 'A planned day could make no payout; `last_failure` says why.',
    object: 'StandingOrder',
    previous: '`next_run_on`',
  },
  'standing_order.run_skipped': {
    when: 'Planned days were left out: the order was paused, or they were more than a year back.',
    object: 'StandingOrder',
    previous: '`next_run_on`',
  },
  'recipient.created': { when: 'A recipient was added.', object: 'Recipient' },
  'recipient.updated': { when: 'A recipient changed.', object: 'Recipient', previous: 'what changed' },
  'recipient.archived': {
    when: 'A recipient was deleted. It stays readable, and no new payout can name it.',
    object: 'Recipient',
    previous: '`status`',
  },
  'recipient.redacted': {
    when: 'The person was erased. Name, e-mail, metadata and bank details are gone, from earlier events too.',
    object: 'Recipient',
  },
  'bank_account.created': { when: 'An account of yours at a bank was added.', object: 'BankAccount' },
  'bank_account.updated': { when: 'A bank account changed.', object: 'BankAccount', previous: 'what changed' },
  'bank_account.closed': { when: 'A bank account was closed.', object: 'BankAccount', previous: '`status`' },
  'bank_account.exports_stopped': {
    when: 'A statement’s balance differs from the ledger’s. No payout leaves the bank account until somebody resumes.',
    object: 'BankAccount',
    previous: '`exports_stopped_by`',
  },
  'bank_account.exports_resumed': {
    when: 'Somebody has resumed the exports: payouts leave again.',
    object: 'BankAccount',
    previous: '`exports_stopped_by`',
  },
  'payment_file.sealed': { when: 'A file of payments is ready to be sent to your bank.', object: 'PaymentFile' },
  'payment_file.updated': {
    when: 'The bank has given a reason for a whole file, or another one.',
    object: 'PaymentFile',
    previous: '`bank_reason`',
  },
  'payment_file.payees_checked': {
    when: 'The bank has compared the names of the payees in a file with those of their accounts. If some differ, let the file go or stop it at the bank, soon.',
    object: 'PaymentFile',
    previous: '`payee_check`',
  },
  'payment_file.abandoned': {
    when: 'A file was given up: its payouts are pending again.',
    object: 'PaymentFile',
  },
  'bank_statement.imported': { when: 'A statement of a bank was booked completely.', object: 'BankStatement' },
  'bank_statement.needs_review': {
    when: 'It is not certain which entries of a statement are new: they wait until a later file, or you, decide it.',
    object: 'BankStatement',
  },
  'bank_statement.proof_failed': {
    when: 'The entries of a statement do not add up to its balances (`failed`), or a statement before it is missing (`gap`).',
    object: 'BankStatement',
  },
  'bank_statement.drift_detected': {
    when: 'A statement’s balance differs from the ledger’s balance of its bank account.',
    object: 'BankStatement',
  },
  'bank_entry.unmatched': {
    when: 'An entry of a bank, or a part of it, found no place by itself, or lost it. Assign it.',
    object: 'BankEntry',
    previous: '`status`',
  },
  'bank_entry.assigned': {
    when: 'Somebody assigned an entry, or the transactions did that another message says.',
    object: 'BankEntry',
    previous: '`status`, `transactions_from`',
  },
  'bank_entry.updated': {
    when: 'Somebody asked to void or un-void an entry, or this was approved by one of two, or rejected. Or another message says its transactions, and moves nothing.',
    object: 'BankEntry',
    previous: '`pending_changes`, `transactions_from`',
  },
  'bank_entry.voided': {
    when: 'An entry was voided: its money is out of the bank account, and out of the places where it was.',
    object: 'BankEntry',
    previous: '`status`, `pending_changes`',
  },
  'bank_entry.unvoided': {
    when: 'A voided entry counts again, and all of it waits for a place. Assign it.',
    object: 'BankEntry',
    previous: '`status`, `pending_changes`',
  },
  'bank_entry.conflict_detected': {
    when: 'A booking of a bank contradicts the state of a payout: the booking stands, and its money waits in `unmatched`. Or a message of a bank does, such as one that accepts what it has rejected; then the event shows the payout, which stays as it is.',
    object: 'BankEntry or Payout',
  },
  'daily_statement.created': {
    when: 'A day has ended, and the setting `daily_statements` is on. Once a day. `content` is the path of the download.',
    object: 'DailyStatement',
  },
  'settings.updated': {
    when: 'The settings changed: name, logo, colour, bank accounts shown to payers, reminders or daily statements.',
    object: 'Settings',
    previous: 'what changed',
  },
  'key.created': {
    when: 'An API key was made, by another key or on the command line. No event ever holds the key itself.',
    object: 'Key',
  },
  'key.rolled': {
    when: 'An API key got a successor, which `rolled_to` names. The old key works for a while, or has ended.',
    object: 'Key',
    previous: '`rolled_to`, and `expires_at` or `status` and `revoked_at`',
  },
  'key.updated': {
    when: 'An API key got another name, or was pinned to another version of the API.',
    object: 'Key',
    previous: '`name`, `version`',
  },
  'key.revoked': { when: 'An API key was revoked.', object: 'Key', previous: '`status`, `revoked_at`' },
  'payout_rules.updated': {
    when: 'The rules of payouts changed, a freeze among them, or a change of them began to wait for a second person, was approved or rejected.',
    object: 'PayoutRules',
    previous: 'what changed',
  },
  'limit.created': { when: 'A limit was made.', object: 'Limit' },
  'limit.updated': {
    when: 'The deletion of a limit began to wait for a second person, was approved by one of two, or was rejected.',
    object: 'Limit',
    previous: '`pending_deletion`',
  },
  'limit.deleted': { when: 'A limit was deleted.', object: 'Limit' },
  'fee_rule.created': { when: 'A fee was made. It is charged from now on.', object: 'FeeRule' },
  'fee_rule.deleted': { when: 'A fee was deleted. It is charged no more.', object: 'FeeRule' },
  'payment_link.created': { when: 'A payment link was made.', object: 'PaymentLink' },
  'payment_link.updated': {
    when: 'A payment link changed, or lacks a payment again because a bank entry was voided.',
    object: 'PaymentLink',
    previous: 'what changed',
  },
  'payment_link.completed': {
    when: 'All payments that a link allows were paid in full, even if it had expired or was canceled before.',
    object: 'PaymentLink',
    previous: '`status`, `active`',
  },
  'payment_link.expired': {
    when: 'A payment link reached `expires_at`. Payments that were started go on.',
    object: 'PaymentLink',
    previous: '`status`, `active`',
  },
  'payment_link.canceled': {
    when: 'A payment link was deactivated. Payments that were started go on.',
    object: 'PaymentLink',
    previous: '`status`, `active`',
  },
  'payment.pending': { when: 'A payer started to pay. Money is expected.', object: 'Payment' },
  'payment.partially_paid': {
    when: 'Less money came than was asked for. The payment waits for the rest.',
    object: 'Payment',
    previous: '`status`, `amount_received_minor`',
  },
  'payment.succeeded': {
    when: 'A payment is paid in full. `status` says `overpaid` when more came than was asked for.',
    object: 'Payment',
    previous: '`status`, `amount_received_minor`',
  },
  'payment.duplicate': {
    when: 'Money came for a payment that was already paid. It was credited as a payment of its own, which can be refunded.',
    object: 'Payment',
  },
  'payment.failed': {
    when: 'A payment no longer waits for money. Money that comes later is credited all the same, so `payment.succeeded` can follow. Or the bank entry that paid it was voided, and nobody waits for it.',
    object: 'Payment',
    previous: '`status`, or `amount_received_minor` too',
  },
  'payment.refunded': {
    when: 'Money of a payment is being sent back. `refund` names the payout.',
    object: 'Payment',
    previous: '`status`, `amount_refunded_minor`',
  },
  'payment.updated': {
    when: 'Metadata or method of a payment changed, or a refund did not arrive and its amount counts as received again, or a bank entry that paid it was voided: so much less came.',
    object: 'Payment',
    previous: 'what changed',
  },
  'payment.reminder_due': {
    when: 'A payment still waits for money, or for the rest, after `payment_reminder_days` of the settings. Once, and once more if its money was taken back: a moment to write to the payer.',
    object: 'Payment',
  },
  'expected_payment.created': { when: 'An expected payment was made.', object: 'ExpectedPayment' },
  'expected_payment.partially_paid': {
    when: 'A part of an expected payment has come. An overdue one stays overdue.',
    object: 'ExpectedPayment',
    previous: '`status`, `amount_received_minor`',
  },
  'expected_payment.paid': {
    when: 'The whole expected payment has come. Also for each further amount.',
    object: 'ExpectedPayment',
    previous: '`status`, `amount_received_minor`',
  },
  'expected_payment.overdue': {
    when: 'The due day of an expected payment has passed, and money is missing.',
    object: 'ExpectedPayment',
    previous: '`status`',
  },
  'expected_payment.updated': {
    when: 'An entry of a bank that paid an expected payment was voided: so much less came.',
    object: 'ExpectedPayment',
    previous: '`status`, `amount_received_minor`',
  },
  'expected_payment.canceled': {
    when: 'An expected payment was canceled. Money that names it from now on waits for a person.',
    object: 'ExpectedPayment',
    previous: '`status`',
  },
  'webhook_endpoint.created': {
    when: 'A webhook endpoint was added. An event about an endpoint is sent to the other endpoints, never to itself.',
    object: 'WebhookEndpoint',
  },
  'webhook_endpoint.updated': {
    when: 'A webhook endpoint changed, was enabled, works again, or has a new secret.',
    object: 'WebhookEndpoint',
    previous: 'what changed',
  },
  'webhook_endpoint.failing': {
    when: 'A delivery has failed four times, and no other delivery has succeeded meanwhile. The endpoint is disabled after five days without a success.',
    object: 'WebhookEndpoint',
    previous: '`first_failed_at`',
  },
  'webhook_endpoint.disabled': {
    when: 'A webhook endpoint was disabled: by request, because it kept failing, or because it answered 410.',
    object: 'WebhookEndpoint',
    previous: '`status`, `disabled_reason`',
  },
  'webhook_endpoint.delivery_parked': {
    when: 'A delivery of an ordered endpoint kept failing and was put aside, so that the deliveries behind it could go on.',
    object: 'WebhookEndpoint',
  },
  'webhook_endpoint.deleted': { when: 'A webhook endpoint was deleted.', object: 'WebhookEndpoint' },
  'environment.restored': {
    when: 'The operator restored an earlier state of the database. Events that you received after `last_sequence` are gone, and so are their changes: compare.',
    object: 'Restore',
  },
  ping: {
    when: 'A test delivery was requested. It is sent to that endpoint alone, whatever types it asks for.',
    object: 'WebhookEndpoint',
  },
};
