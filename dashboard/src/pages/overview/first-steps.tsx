/** For whoever starts: three lines for a terminal, and the events that they make, as they come. */
import type { Event } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { useList } from '../../api/reads.ts';
import { Go } from '../../ui/go.tsx';
import { Card } from '../../ui/page.tsx';
import { Shell } from '../../ui/shell-text.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './overview.module.css';

const linesAt = (origin: string) => [
  {
    what: 'Your key, from the start of the service or from the page Keys.',
    curl: `export BURSAR_URL=${origin} BURSAR_KEY=sk_test_…`,
  },
  {
    what: 'Somebody to pay.',
    curl: `curl $BURSAR_URL/v1/recipients -H "Authorization: Bearer $BURSAR_KEY" \\
  -d "name=Grace Hopper" -d type=individual -d currency=EUR -d country=DE \\
  -d "bank_details[iban]=DE89370400440532013000"`,
  },
  {
    what: 'A payout to them. In the sandbox it arrives within seconds.',
    curl: `curl $BURSAR_URL/v1/payouts -H "Authorization: Bearer $BURSAR_KEY" \\
  -d amount=250.00 -d currency=EUR -d recipient=rcp_…`,
  },
];

export function FirstSteps() {
  const { mode } = useHere();
  if (mode === 'sandbox') return <Steps />;
  return (
    <Card title="Nothing has been paid yet">
      <p>Payouts of your company will stand here. To try things out without real money, change to the sandbox above.</p>
    </Card>
  );
}

function Steps() {
  const events = useList<Event>(['events', 'first'], (client) => pageAt(client, '/v1/events', { limit: 5 }));
  return (
    <Card title="Your first payout">
      <ol className={classes['steps']}>
        {linesAt(location.origin).map(({ what, curl }) => (
          <li key={curl}>
            <p>{what}</p>
            <Shell text={curl} />
          </li>
        ))}
        <li>
          <p>
            What happens arrives here by itself{events.rows.length > 0 && ', and stands in '}{' '}
            {events.rows.length > 0 && <Go to="/events">Events</Go>}.
          </p>
          <ul className={classes['arrived']}>
            {events.rows.map(({ id, type, created }) => (
              <li key={id}>
                <Go to={`/events/${id}`} className="mono">
                  {type}
                </Go>{' '}
                <span className="small muted">
                  <Time at={created} ago />
                </span>
              </li>
            ))}
          </ul>
        </li>
      </ol>
    </Card>
  );
}
