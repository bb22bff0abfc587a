/** A place that money can go to, by what a person knows it by: a name where there is one, else its kind and its id. */
import { useRead } from '../../api/reads.ts';
import { Id } from '../../ui/id.tsx';
import { kindOf } from './reasons.ts';

export function Place({ id }: { readonly id: string }) {
  const kind = kindOf(id);
  const expected = useRead(['expected_payments', id], (client) => client.expectedPayments.retrieve(id), {
    isOff: kind !== 'expected payment',
  });
  const account = useRead(['account', id], (client) => client.accounts.retrieve(id), { isOff: kind !== 'account' });
  if (id === 'fees') return <span>Fees</span>;
  if (id === 'fx') return <span>Exchange</span>;
  if (expected.data !== undefined)
    return (
      <span>
        <bdi>{expected.data.description ?? expected.data.reference}</bdi>
        {expected.data.payer !== null && (
          <>
            , <bdi>{expected.data.payer}</bdi>
          </>
        )}
      </span>
    );
  if (account.data !== undefined && account.data.name !== null) return <bdi>{account.data.name}</bdi>;
  return (
    <span>
      {kind} <Id id={id} />
    </span>
  );
}
