/**
 * One file of payouts: what is in it, what the bank said, its bytes, and giving it up where the bank never had it. Whoever gives it up approves
 * payouts and did not make it, because a bank that has it after all pays twice.
 */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useParams } from 'wouter';
import type { PaymentFile as FileObject } from '../../../../client/src/generated/types.ts';
import { useDownload } from '../../api/download.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { useApprover } from '../../ui/approver.ts';
import { Trouble } from '../../ui/conditions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { countOf } from '../../ui/digits.ts';
import { Go } from '../../ui/go.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { Day, Time } from '../../ui/time.tsx';
import { Unread } from '../../ui/unread.tsx';
import { Who } from '../../ui/who.tsx';
import { categoryWord } from '../../ui/words.ts';
import { useBankNames } from './bank-names.ts';
import { fileState, namesInWords } from './file-words.ts';
import { unfitToGiveUp } from './unfit.ts';
import { WhyField } from './why-field.tsx';

const FROM = { to: '/files', word: 'Files' };

export function PaymentFile() {
  const { id = '' } = useParams();
  const file = useRead(['payment_files', id], (client) => client.paymentFiles.retrieve(id));
  if (file.data !== undefined) return <Found file={file.data} />;
  return <Unread title={shortId(id)} from={FROM} what="this file" read={file} />;
}

function Found({ file }: { readonly file: FileObject }) {
  const { id, message_id: message, currency, status, answered_at: answered, bank_reason: reason } = file;
  const names = useBankNames();
  const may = useMay();
  const canBeGivenUp = status === 'sealed' && answered === null;
  const approver = useApprover(canBeGivenUp);
  const content = useDownload();
  const [isOpen, setOpen] = useState(false);
  return (
    <Page
      title={message}
      from={FROM}
      about={
        <>
          <Money minor={file.total_minor} currency={currency} />
          <State {...fileState(file)} />
        </>
      }
      actions={
        status === 'sealed' && (
          <>
            <Button
              variant="default"
              leftSection={<Icon name="download" size={16} />}
              onClick={() => void content.start(`/v1/payment_files/${id}/content`, {}, `${message}.xml`)}
            >
              Download
            </Button>
            {canBeGivenUp && (
              <Action
                variant="default"
                reason={unfitToGiveUp(file, approver, may('payment_files:write'))}
                onClick={() => setOpen(true)}
              >
                Give it up
              </Action>
            )}
          </>
        )
      }
    >
      <Trouble error={content.error} />
      <div className="columns">
        <Card title="The bank">
          <Facts
            rows={[
              ['State', <State key="" {...fileState(file)} />],
              ['First answer', answered === null ? null : <Time key="" at={answered} />],
              ['Its reason', reason === null ? null : [reason.code, reason.text].filter((part) => part).join(': ')],
              ['Names of payees', namesInWords(file.payee_check)],
              ['Given up', file.abandoned_at === null ? null : <Time key="" at={file.abandoned_at} />],
              ['Why', file.reason === null ? null : <bdi key="">{file.reason}</bdi>],
            ]}
          />
        </Card>
        <Card title="Details">
          <Facts
            rows={[
              ['Payouts', countOf(file.payouts_count)],
              ['Sum', <Money key="" minor={file.total_minor} currency={currency} />],
              ['For', <Day key="" on={file.execution_on} />],
              [
                'Bank account',
                <Go key="" to={`/bank-accounts/${file.bank_account}`}>
                  <bdi>{names.get(file.bank_account) ?? shortId(file.bank_account)}</bdi>
                </Go>,
              ],
              ['What it is', categoryWord(file.category_purpose)],
              ['On the statement', file.batch_booking ? 'One entry' : 'An entry each'],
              ['Made', <Time key="" at={file.created} />],
              ['By', <Who key="" actor={file.created_by} />],
              ['SHA-256', file.sha256 === null ? null : <Id key="" id={file.sha256} />],
              ['Id', <Id key="" id={id} whole here />],
            ]}
          />
        </Card>
      </div>
      {isOpen && <GiveUp file={file} close={() => setOpen(false)} />}
    </Page>
  );
}

function GiveUp({ file, close }: { readonly file: FileObject; close(): void }) {
  const [typed, setTyped] = useState('');
  const write = useWrite(async (client, options, reason: string) => {
    const answer = await client.paymentFiles.abandon(file.id, { reason }, options);
    notifications.show({ message: 'Given up. Its payouts leave with the next file.' });
    return answer;
  });
  const why = typed.trim();
  return (
    <Confirm
      title="Give up this file"
      verb="Give it up"
      isDangerous
      typed={file.message_id}
      isOpen
      isIncomplete={why === ''}
      write={write}
      input={why}
      close={close}
    >
      <p>
        Only if your bank never got it, or refused it as a whole. If the bank has it after all, it pays{' '}
        {countOf(file.payouts_count)} {file.payouts_count === 1 ? 'payout' : 'payouts'} twice,{' '}
        <Money minor={file.total_minor} currency={file.currency} />.
      </p>
      <WhyField value={typed} description="Stays with the file." onChange={setTyped} />
    </Confirm>
  );
}
