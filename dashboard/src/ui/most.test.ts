/** What can be typed is what the API takes, and every field of a request takes its bound from there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MOST } from './most.ts';

const ROOT = join(import.meta.dirname, '../../..');

interface Schema {
  readonly $ref?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}
const { schemas } = (
  JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  }
).components;

function lengthOf(request: string, member: string): number | undefined {
  const found = schemas[request]?.properties?.[member];
  const named = found?.$ref === undefined ? found : schemas[found.$ref.split('/').at(-1) as string];
  return named?.maxLength;
}

const MEMBERS: Readonly<Record<keyof typeof MOST, readonly (readonly [request: string, member: string])[]>> = {
  rejectReason: [['RejectPayoutRequest', 'reason']],
  bankReason: [
    ['AssignBankEntryRequest', 'reason'],
    ['ReturnBankEntryRequest', 'reason'],
    ['ReviewBankStatementRequest', 'reason'],
    ['ResumeExportsRequest', 'reason'],
    ['AbandonPaymentFileRequest', 'reason'],
    ['VoidBankEntryRequest', 'reason'],
  ],
  ruleName: [['CreateBankRuleRequest', 'name']],
  ruleText: [['CreateBankRuleRequest', 'text']],
  companyName: [['UpdateSettingsRequest', 'name']],
  keyName: [
    ['CreateKeyRequest', 'name'],
    ['UpdateKeyRequest', 'name'],
  ],
  accountName: [['CreateAccountRequest', 'name']],
  transferDescription: [['CreateTransferRequest', 'description']],
  personName: [['CreateUserRequest', 'name']],
  endpointDescription: [
    ['CreateWebhookEndpointRequest', 'description'],
    ['UpdateWebhookEndpointRequest', 'description'],
  ],
  payeeName: [
    ['CreateRecipientRequest', 'name'],
    ['UpdateRecipientRequest', 'name'],
  ],
  latinName: [
    ['CreateRecipientRequest', 'latin_name'],
    ['UpdateRecipientRequest', 'latin_name'],
  ],
  payeeEmail: [['UpdateRecipientRequest', 'email']],
  line1: [['AddressSent', 'line1']],
  postal_code: [['AddressSent', 'postal_code']],
  city: [['AddressSent', 'city']],
  payoutReference: [
    ['CreatePayoutRequest', 'reference'],
    ['CreateStandingOrderRequest', 'reference'],
    ['UpdateStandingOrderRequest', 'reference'],
  ],
  batchName: [['CreatePayoutBatchRequest', 'external_id']],
  linkDescription: [['CreatePaymentLinkRequest', 'description']],
  linkReference: [['CreatePaymentLinkRequest', 'reference']],
  linkMessage: [['AfterCompletion', 'message']],
  linkRedirect: [['Redirect', 'url']],
  expectedPayer: [['CreateExpectedPaymentRequest', 'payer']],
  expectedDescription: [['CreateExpectedPaymentRequest', 'description']],
};

describe('what can be typed', () => {
  it.each(Object.entries(MEMBERS))('%s is what the API takes', (name, members) => {
    for (const [request, member] of members) expect(lengthOf(request, member)).toBe(MOST[name as keyof typeof MOST]);
  });

  it('is bounded by this table in each page that sends to the API', () => {
    const pages = readdirSync(join(ROOT, 'dashboard/src/pages'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx'))
      // Codes of apps are of the door, and a colour is no text.
      .filter((path) => !path.startsWith('signin/'));
    const own = pages.flatMap((path) =>
      [...readFileSync(join(ROOT, 'dashboard/src/pages', path), 'utf8').matchAll(/maxLength=\{\d+\}/g)].map(
        ([bound]) => `${path}: ${bound}`,
      ),
    );
    expect(own).toEqual(['settings/settings.tsx: maxLength={7}']);
  });
});
