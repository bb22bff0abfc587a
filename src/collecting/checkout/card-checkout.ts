/**
 * Card payments: sends the payer to the acquirer’s page and turns the acquirer’s facts into commands. A fact about a
 * payment of this database is booked; a repeated fact changes nothing. Routes: `card-routes.ts`.
 */
import { isAwaited } from '../../core/payments.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { contentSecurityPolicy } from '../../platform/http/page.ts';
import type { Acquirer, CardFact } from '../cards/acquirer.ts';
import { currencyOfPayment, type Opened } from './sql.ts';
import type { Language } from './html/view.ts';
import type { AttachSession, FailPayment, ReceivePayment } from '../payments/decide.ts';

export type CardCommand = AttachSession | ReceivePayment | FailPayment;

export interface CardCheckoutParts {
  readonly acquirer: Acquirer;
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Sends a command down the write path; `null` when it was accepted, else the code of its refusal. */
  send(environmentId: string, command: CardCommand, requestId: string): Promise<string | null>;
  /** The public address of a page, from its path. */
  absolute(path: string): string;
  readonly now: () => number;
  readonly onFault: (message: string, error: unknown) => void;
}

export class CardCheckout {
  readonly acquirer: Acquirer;
  private readonly parts: CardCheckoutParts;
  /** The content security policy of pages with a card form: the form may lead to the acquirer. */
  readonly policy: string;

  constructor(parts: CardCheckoutParts) {
    this.acquirer = parts.acquirer;
    this.parts = parts;
    // The fake acquirer of the tests is on this machine and has no certificate.
    const origins = parts.acquirer.hosts.map((host) =>
      /^(?:localhost|127\.)/.test(host) ? `http://${host}` : `https://${host}`,
    );
    this.policy = contentSecurityPolicy(origins);
  }

  logRefused(error: Error): void {
    this.parts.onFault('A notification about a card payment was refused', error);
  }

  takes(livemode: boolean, currency: string): boolean {
    return this.acquirer.serves(livemode) && this.acquirer.supports(currency);
  }

  /** The address of the acquirer's page for the payment; `null` when the acquirer gives no session. */
  async begin(opened: Opened, page: string, language: Language, requestId: string): Promise<string | null> {
    const { acquirer, absolute, send, onFault, now } = this.parts;
    const { link, payment, environmentId, livemode } = opened;
    if (payment === null || !isAwaited(payment)) return null;
    if (!acquirer.serves(livemode) || !acquirer.supports(link.currency, payment.amount)) return null;
    try {
      const session = await acquirer.createSession({
        paymentId: payment.id,
        environmentId,
        livemode,
        amount: payment.amount,
        currency: link.currency,
        description: link.description ?? link.reference ?? payment.reference,
        customerEmail: link.customerEmail,
        language,
        returnUrl: absolute(`${page}/return`),
        cancelUrl: absolute(page),
        // The link expires by the environment's clock; the acquirer knows only the real one.
        expiresAtMs: link.expiresAt === null ? null : now() + (link.expiresAt - opened.nowMs),
      });
      const attach: AttachSession = { type: 'attach_session', payment: payment.id, session: session.id };
      return (await send(environmentId, attach, `${requestId}.session`)) === null ? session.url : null;
    } catch (error) {
      onFault('The card acquirer gave no session', error);
      return null;
    }
  }

  /** The payer is back: asks the acquirer for the state of the session. A fault is logged; the notification follows. */
  async ask(session: string, requestId: string): Promise<void> {
    const { acquirer, onFault } = this.parts;
    try {
      await this.handle(await acquirer.session(session), requestId);
    } catch (error) {
      onFault('The card acquirer could not be asked', error);
    }
  }

  /** Books a fact. Throws when a payment of this database could not be booked, so that the acquirer sends it again. */
  async handle(fact: CardFact, requestId: string): Promise<void> {
    if (fact.kind === 'open') return;
    const { environmentId, paymentId: payment, sessionId: session } = fact;
    const about = { payment, session };
    const { rows, send } = this.parts;
    const [known] = await rows(currencyOfPayment(environmentId, payment));
    if (known === undefined) return; // of a deleted database, or of another one that shares the acquirer
    if (fact.kind === 'paid' && known['currency'] !== fact.currency) {
      throw new Error(`Payment ${payment} is in ${known['currency'] as string}; the acquirer says ${fact.currency}.`);
    }
    const command: CardCommand =
      fact.kind === 'failed'
        ? { type: 'fail_payment', ...about, reason: fact.reason }
        : {
            type: 'receive_payment',
            ...about,
            method: 'card',
            amount: fact.amount,
            payerName: fact.payerName,
            payerIban: null,
          };
    const refused = await send(environmentId, command, `${requestId}.fact`);
    if (refused !== null) throw new Error(`A card payment could not be booked: ${refused}.`);
  }
}
