/** Recipients in one request, on the wire. A faulty one is named with all its faults, and so are the others: `batch-decide.ts` decides. */
import type { Replies } from '../../core/decision.ts';
import { RequestError } from '../../core/values/errors.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { param as custom } from '../../platform/http/request/param.ts';
import * as param from '../../platform/http/request/params.ts';
import { dryRunOf, schemaOf } from '../../platform/http/object-schema.ts';
import type { CreateRecipientBatch, RecipientItem } from './batch-decide.ts';
import { RECIPIENT } from './fields.ts';
import { createCommand, createRecipientParams, validateRecipientParams } from './parameters.ts';

export const MAX_RECIPIENTS = 1000;

/** Never throws a `RequestError`: what cannot be read becomes faults of the item. */
const item = custom({ description: 'One recipient.' }, param.ref('CreateRecipientRequest'), (tree): RecipientItem => {
  try {
    return createCommand(createRecipientParams.parse(tree), null);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, message, details } = error;
    return { faults: [{ param: details.param ?? '', code, message }, ...furtherFaults(tree, details.param)] };
  }
});

/** Beyond the first, which is found again; none where the item is no object of recipients at all. */
function furtherFaults(tree: param.Tree, first: string | undefined) {
  try {
    return validateRecipientParams.parse(tree).faults.filter((fault) => fault.param !== first);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return [];
  }
}

export const createRecipientBatchParams = param.params(
  {
    recipients: param.list(item, { max: MAX_RECIPIENTS, description: `1 to ${MAX_RECIPIENTS} recipients.` }),
    dry_run: param.dryRun,
  },
  undefined,
  ['batch_invalid'],
);

export const recipientBatchFrom = ({
  recipients,
}: ReturnType<typeof createRecipientBatchParams.parse>): CreateRecipientBatch => ({
  type: 'create_recipient_batch',
  items: recipients,
});

/** `text`: a recipient as its event shows it. */
export function renderRecipientBatch(
  { recipients }: Replies['recipient_batch'],
  text: (recipient: Replies['recipient_batch']['recipients'][number]) => string,
): string {
  const results = recipients.map((recipient, index) => `{"index":${index},"recipient":${text(recipient)}}`);
  return `{"object":"recipient_batch","results":[${results.join(',')}]}`;
}

const batchOf = (recipient: string) =>
  strictObject('Recipients that one request made.', {
    object: { const: 'recipient_batch' },
    results: {
      type: 'array',
      description: 'One for each recipient, in the order sent.',
      items: strictObject('One recipient.', { index: { type: 'integer' }, recipient: param.ref(recipient) }),
    },
  });

export const RECIPIENT_BATCH_SCHEMAS: Readonly<Record<string, param.JsonSchema>> = {
  RecipientDryRun: dryRunOf(schemaOf(RECIPIENT, 'A person or organisation that payouts go to.'), [
    'id',
    'duplicate_of',
  ]),
  RecipientBatch: batchOf('Recipient'),
  RecipientBatchDryRun: dryRunOf(batchOf('RecipientDryRun'), []),
};
