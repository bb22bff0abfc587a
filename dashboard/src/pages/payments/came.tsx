/** What the bank brought for an expected payment: the entry behind each transfer that credited it. */
import type { BankEntry, Event, ExpectedPayment } from '../../../../client/src/generated/types.ts';
import type { Bursar } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { Failed } from '../../ui/conditions.tsx';
import { Money } from '../../ui/money.tsx';
import { Card } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { transfersIn } from './story.ts';

interface Row {
  readonly id: string;
  readonly minor: number;
  readonly currency: string;
  /** `null`: the role may not see entries. */
  readonly entry: BankEntry | null;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'from',
    title: 'From',
    phone: 'top-left',
    cell: ({ entry }) => {
      const { name = null, account_last4: last4 = null } = entry?.counterparty ?? {};
      return (
        <>
          {name === null ? <span className="muted">Not named by the bank</span> : <bdi>{name}</bdi>}
          {last4 !== null && <span className="muted"> ···{last4}</span>}
        </>
      );
    },
  },
  {
    key: 'text',
    title: 'Words',
    width: '34%',
    phone: 'bottom-left',
    cell: ({ entry }) => <bdi className="muted">{entry?.remittance.text}</bdi>,
  },
  {
    key: 'day',
    title: 'Booked',
    width: '16%',
    phone: 'bottom-right',
    cell: ({ entry }) =>
      entry?.status === 'voided' ? <State mark="bad" word="Voided" /> : <Day on={entry?.booked_on} />,
  },
  {
    key: 'amount',
    title: 'Amount',
    width: '22%',
    align: 'right',
    phone: 'top-right',
    cell: ({ minor, currency }) => <Money minor={minor} currency={currency} />,
  },
];

interface Props {
  readonly expected: ExpectedPayment;
  readonly events: readonly Event[];
}

export function Came({ expected, events }: Props) {
  const may = useMay();
  const mayEntries = may('bank_entries:read');
  const ids = transfersIn(events);
  const came = useRead(
    ['expected_payments', expected.id, 'came', ids, mayEntries],
    (client) => Promise.all(ids.map((id) => rowOf(client, id, mayEntries))),
    { isOff: ids.length === 0 || !may('transfers:read'), keeps: true },
  );
  if (came.error !== null && came.data === undefined) {
    return <Failed error={came.error} again={() => void came.refetch()} what="what came" />;
  }
  if (came.data === undefined) return null;
  return (
    <Card flush title="What came">
      <Table label="What came" rows={came.data} columns={COLUMNS} keyOf={({ id }) => id} counts={false} />
    </Card>
  );
}

async function rowOf(client: Bursar, id: string, mayEntries: boolean): Promise<Row> {
  const { amount_minor: minor, currency, cause_id: cause } = await client.transfers.retrieve(id);
  const entry = mayEntries && cause?.startsWith('be_') === true ? await client.bankEntries.retrieve(cause) : null;
  return { id, minor, currency, entry };
}
