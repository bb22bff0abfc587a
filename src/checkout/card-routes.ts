/** Where payers come back from an acquirer, and where the acquirer says what became of them. What is done: `card-checkout.ts`. */
import type { Page } from '../http/page.ts';
import { AcquirerError, NotificationRefused } from '../cards/acquirer.ts';
import type { CardCheckout } from './card-checkout.ts';
import { goTo, notFound, open, type PageParts, tokenOf } from './routes.ts';

export function cardPages(parts: Pick<PageParts, 'rows' | 'now'>, cards: CardCheckout): Page[] {
  return [
    {
      method: 'GET',
      path: '/pay/:token/return',
      handle: async (call) => {
        const { payment } = await open(parts, call);
        if (payment === null) throw notFound();
        if (payment.session !== null && payment.status === 'pending') await cards.ask(payment.session, call.requestId);
        return goTo(`/pay/${tokenOf(call)}`, call);
      },
    },
    {
      method: 'POST',
      path: `/pay/notifications/${cards.name}`,
      limited: false,
      handle: async (call) => {
        const said = (status: number, received: boolean) => ({ status, body: JSON.stringify({ received }) });
        try {
          const fact = cards.read(call.rawBody, call.header, parts.now());
          if (fact !== null) await cards.handle(fact, call.requestId);
          return said(200, true);
        } catch (error) {
          if (!(error instanceof NotificationRefused || error instanceof AcquirerError)) throw error;
          cards.note(error);
          return said(400, false);
        }
      },
    },
  ];
}
