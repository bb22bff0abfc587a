/** Erasing a person from the JSON of an object: the named members change, all other bytes stay. */
import { expect, it } from 'vitest';
import { withMembers } from './redact.ts';

const JSON_OF_PAYMENT =
  '{"id":"pay_1","amount":250.10,"amount_minor":25010,"payer":{"name":"A \\"da\\", {[","account_last4":"3000"},"fees":[{"name":"x"}],"payer_note":"payer","metadata":{}}';

it('changes top-level members, and keeps the literals of amounts', () => {
  const changed = withMembers(JSON_OF_PAYMENT, { payer: () => null, name: () => 'never', metadata: () => ({ a: 1 }) });
  expect(changed).toBe(
    '{"id":"pay_1","amount":250.10,"amount_minor":25010,"payer":null,"fees":[{"name":"x"}],"payer_note":"payer","metadata":{"a":1}}',
  );
});

it.each(['{}', '{"a":{}}', '{"a":[]}', '{"a":"}"}', '{"a":"\\\\"}', JSON_OF_PAYMENT])('keeps %s', (json) =>
  expect(withMembers(json, {})).toBe(json),
);

it('hands the former value in', () => {
  const changed = withMembers(JSON_OF_PAYMENT, { payer: ({ name }: { name: string }) => name });
  expect(changed).toContain('"payer":"A \\"da\\", {["');
});
