/** The pages that payers return to from an acquirer, and the acquirer's notifications. Handled by `card-checkout.ts`. */
import type { Page } from '../../platform/http/page.ts';
import { isAwaited } from '../../core/payments.ts';
import { AcquirerError, NotificationRefused } from '../cards/acquirer.ts';
import type { CardCheckout } from './card-checkout.ts';
import { goTo, notFound, open, type PageParts, tokenOf } from './routes.ts';

export function cardPages(parts: Pick<PageParts, 'rows' | 'seals' | 'now'>, cards: CardCheckout): Page[] {
  return [
    {
      method: 'GET',
      path: '/pay/:token/return',
      handle: async (call) => {
        const { payment } = await open(parts, call);
        if (payment === null) throw notFound();
        if (payment.session !== null && isAwaited(payment)) await cards.ask(payment.session, call.requestId);
        return goTo(`/pay/${tokenOf(call)}`, call);
      },
    },
    {
      method: 'POST',
      path: `/pay/notifications/${cards.acquirer.name}`,
      limited: false,
      handle: async (call) => {
        const reply = (status: number, received: boolean) => ({ status, body: JSON.stringify({ received }) });
        try {
          const fact = cards.acquirer.notification(call.rawBody, call.header, parts.now());
          if (fact !== null) await cards.handle(fact, call.requestId);
          return reply(200, true);
        } catch (error) {
          if (!(error instanceof NotificationRefused || error instanceof AcquirerError)) throw error;
          cards.logRefused(error);
          return reply(400, false);
        }
      },
    },
  ];
}
