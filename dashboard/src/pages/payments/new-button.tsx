/** The buttons that make something to be paid by. */
import { NewButton } from '../../ui/new-button.tsx';

export const NewLinkButton = () => (
  <NewButton
    word="New payment link"
    to="/payment-links/new"
    needs={['payment_links:write']}
    verb="make payment links"
  />
);

export const NewExpectedButton = () => (
  <NewButton word="Expect a payment" to="/expected-payments/new" needs={['payments:write']} verb="expect payments" />
);
