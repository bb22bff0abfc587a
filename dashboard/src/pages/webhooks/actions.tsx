/** What can be done with an endpoint: test, edit, send again, and behind "More" what changes or ends it. */
import { Button, Menu, Select } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { WebhookEndpoint } from '../../../../client/src/bursar.ts';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Once } from '../../ui/once.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { ReplayButton } from './replay.tsx';

type Asked = 'disable' | 'delete' | 'roll' | null;

const OVERLAPS = [
  { value: '86400', label: 'one day' },
  { value: '604800', label: 'seven days' },
  { value: '3600', label: 'one hour' },
  { value: '0', label: 'not at all: it ends at once' },
];

export function Actions({ endpoint, edit }: { readonly endpoint: WebhookEndpoint; edit(): void }) {
  const { id, url, status } = endpoint;
  const { mode } = useHere();
  const may = useMay();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<Asked>(null);
  const [overlap, setOverlap] = useState('86400');
  const [secret, setSecret] = useState<string | null>(null);
  const [tested, setTested] = useState(false);
  const test = useWrite((client, options) => client.webhookEndpoints.test(id, {}, options));
  const enable = useWrite((client, options) => client.webhookEndpoints.enable(id, {}, options));
  const disable = useWrite((client, options) => client.webhookEndpoints.disable(id, {}, options));
  const remove = useWrite(async (client, options) => {
    const deleted = await client.webhookEndpoints.delete(id, {}, options);
    navigate(`/${mode}/webhooks`);
    return deleted;
  });
  const roll = useWrite(async (client, options, seconds: number) => {
    const rolled = await client.webhookEndpoints.rollSecret(id, { expires_in: seconds }, options);
    setSecret(rolled.secret ?? null);
    return rolled;
  });
  const isOff = !may('webhook_endpoints:write');
  const isEnabled = status === 'enabled';
  const close = () => setAsked(null);
  return (
    <>
      {tested && test.error === null && (
        <span role="status" className="muted">
          A test is on its way: see the deliveries.
        </span>
      )}
      <Trouble error={test.error ?? enable.error} />
      {isEnabled ? (
        <Button
          variant="default"
          disabled={isOff}
          loading={test.isBusy}
          onClick={() => void test.run().then((sent) => setTested(sent !== undefined))}
        >
          Send a test
        </Button>
      ) : (
        <Button disabled={isOff} loading={enable.isBusy} onClick={() => void enable.run()}>
          Enable
        </Button>
      )}
      <ReplayButton endpoint={id} isOff={isOff || !isEnabled} />
      <Button variant="default" disabled={isOff} onClick={edit}>
        Edit
      </Button>
      <Menu>
        <Menu.Target>
          <Button variant="default" disabled={isOff} rightSection={<Icon name="down" size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('roll')}>Roll the signing secret</Menu.Item>
          {isEnabled && <Menu.Item onClick={() => setAsked('disable')}>Disable</Menu.Item>}
          <Menu.Item onClick={() => setAsked('delete')}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        title="Roll the signing secret?"
        verb="Roll"
        isOpen={asked === 'roll'}
        write={roll}
        input={Number(overlap)}
        close={close}
      >
        <p>The new secret signs at once. Give it to the receiver while both sign.</p>
        <Select
          label="The old one signs too for"
          data={OVERLAPS}
          value={overlap}
          onChange={(next) => setOverlap(next ?? '86400')}
        />
      </Confirm>
      <Confirm
        title="Disable this endpoint?"
        verb="Disable"
        isDangerous
        typed="disable"
        isOpen={asked === 'disable'}
        write={disable}
        input={undefined}
        close={close}
      >
        <p>Nothing is sent to {url} until it is enabled. What would have been sent is held, and can be sent again.</p>
      </Confirm>
      <Confirm
        title="Delete this endpoint?"
        verb="Delete"
        isDangerous
        typed="delete"
        isOpen={asked === 'delete'}
        write={remove}
        input={undefined}
        close={close}
      >
        <p>What waits for {url} is no longer sent, and its secret ends. Its deliveries stay readable.</p>
      </Confirm>
      <Once title="The new signing secret" secret={secret} close={() => setSecret(null)}>
        It is shown only now. The receiver takes both while the old one still signs.
      </Once>
    </>
  );
}
