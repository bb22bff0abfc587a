/** The buttons that make something to be paid by. Absent for who may not. */
import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { Icon } from '../../ui/icons.tsx';

interface Props {
  readonly scope: string;
  readonly to: string;
  readonly word: string;
}

function NewButton({ scope, to, word }: Props) {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const may = useMay();
  return (
    may(scope) && (
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => navigate(`/${mode}${to}`)}>
        {word}
      </Button>
    )
  );
}

export const NewLinkButton = () => (
  <NewButton scope="payment_links:write" to="/payment-links/new" word="New payment link" />
);

export const NewExpectedButton = () => (
  <NewButton scope="payments:write" to="/expected-payments/new" word="Expect a payment" />
);
