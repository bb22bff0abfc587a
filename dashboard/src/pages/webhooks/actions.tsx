/** What can be done with an endpoint: test, edit, send again, and behind "More" what changes or ends it. */
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { WebhookEndpoint } from '../../../../client/src/bursar.ts';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { useWrite } from '../../api/writes.ts';
import { useAsked } from '../../ui/asked.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Roll } from '../../ui/roll.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { ReplayButton } from './replay.tsx';

export function Actions({ endpoint, edit }: { readonly endpoint: WebhookEndpoint; edit(): void }) {
  const { id, url, status } = endpoint;
  const { mode } = useHere();
  const may = useMay();
  const [, navigate] = useLocation();
  const asked = useAsked<'disable' | 'delete' | 'roll'>();
  const [tested, setTested] = useState(false);
  const test = useWrite((client, options) => client.webhookEndpoints.test(id, {}, options));
  const enable = useWrite((client, options) => client.webhookEndpoints.enable(id, {}, options));
  const disable = useWrite((client, options) => client.webhookEndpoints.disable(id, {}, options));
  const remove = useWrite(async (client, options) => {
    const deleted = await client.webhookEndpoints.delete(id, {}, options);
    navigate(`/${mode}/webhooks`);
    return deleted;
  });
  const isOff = !may('webhook_endpoints:write');
  const isEnabled = status === 'enabled';
  return (
    <>
      {tested && test.error === null && (
        <span role="status" className="muted">
          A test is on its way: see the deliveries.
        </span>
      )}
      {isOff && <span className="small muted">Your role may not change endpoints.</span>}
      <Trouble error={test.error ?? enable.error} />
      {isEnabled ? (
        <Button
          variant="default"
          disabled={isOff}
          loading={test.isBusy}
          onClick={() => {
            setTested(false);
            void test.run().then((sent) => setTested(sent !== undefined));
          }}
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
          <Menu.Item onClick={() => asked.ask('roll')}>Roll the signing secret</Menu.Item>
          {isEnabled && <Menu.Item onClick={() => asked.ask('disable')}>Disable</Menu.Item>}
          <Menu.Item onClick={() => asked.ask('delete')}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Roll
        title="Roll the signing secret?"
        label="The old one signs too for"
        made="The new signing secret"
        advice="It is shown only now. The receiver takes both while the old one still signs."
        {...asked.of('roll')}
        roll={(client, given, options) => client.webhookEndpoints.rollSecret(id, given, options)}
      >
        The new secret signs at once. Give it to the receiver while both sign.
      </Roll>
      <Confirm
        title="Disable this endpoint?"
        verb="Disable"
        isDangerous
        typed="disable"
        write={disable}
        input={undefined}
        {...asked.of('disable')}
      >
        <p>Nothing is sent to {url} until it is enabled. What would have been sent is held, and can be sent again.</p>
      </Confirm>
      <Confirm
        title="Delete this endpoint?"
        verb="Delete"
        isDangerous
        typed="delete"
        write={remove}
        input={undefined}
        {...asked.of('delete')}
      >
        <p>What waits for {url} is no longer sent, and its secret ends. Its deliveries stay readable.</p>
      </Confirm>
    </>
  );
}
