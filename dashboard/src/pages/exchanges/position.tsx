/** What exchanges left open, and how much may be. Absent where nothing is open and nothing is limited, and for who may not read it. */
import { useRead } from '../../api/reads.ts';
import { Money } from '../../ui/money.tsx';
import { Card, Facts } from '../../ui/page.tsx';

export function Position() {
  const read = useRead(['exchange_positions'], (client) => client.exchangePositions.retrieve());
  if (read.data === undefined) return null;
  const { base_currency: base, positions, open_position_minor: open, position_limit_minor: limit } = read.data;
  if (positions.length === 0 && limit === null) return null;
  return (
    <Card title="Open position">
      <Facts
        rows={[
          [
            'Open now',
            open === null ? (
              'Not known: there are no rates now.'
            ) : open === 0 ? null : (
              <Money key="" minor={open} currency={base} />
            ),
          ],
          ['At most', limit === null ? null : <Money key="" minor={limit} currency={base} />],
          ...positions.map(({ currency, amount_minor: minor }) => {
            const amount = BigInt(minor ?? 0);
            const isOwed = amount < 0n;
            return [
              `${isOwed ? 'Owed' : 'Held'} in ${currency}`,
              minor === null ? null : <Money key="" minor={isOwed ? -amount : amount} currency={currency} />,
            ] as const;
          }),
        ]}
      />
    </Card>
  );
}
