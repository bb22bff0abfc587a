/**
 * A batch from a file of names and IBANs: drop, check, create. The file is read in this browser (`rows.ts`); the check is a dry run, which pays
 * nobody; only *Create* sends it. What was changed after a check has to be checked again.
 */
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Account, BankAccount, PayoutBatchResults } from '../../../../client/src/bursar.ts';
import { pageAt, post } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { faultOf } from '../../api/errors.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { countOf } from '../../ui/digits.ts';
import { Card, Page } from '../../ui/page.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import type { Mark } from '../../ui/amounts.ts';
import { decoded, type Encoding } from './bytes.ts';
import { type Separator, sheetOf } from './cells.ts';
import {
  batchOf,
  type Decisions,
  type Matched,
  openRows,
  payeesOf,
  sentRows,
  type Terms,
  type Tried,
  UNDECIDED,
  verdictsOf,
} from './check.ts';
import { type Columns, columnsOf, type Field, hasHeader, needsCurrency } from './columns.ts';
import { Create } from './create.tsx';
import { Drop, Reading } from './file-card.tsx';
import { columnsFor, keepColumns } from './kept-columns.ts';
import { MAX_ROWS, rowsOf } from './rows.ts';
import { leftAtBanks, payingBanks } from './paying.ts';
import { Rows } from './rows-table.tsx';
import { TermsFields } from './terms.tsx';

interface Dropped {
  readonly name: string;
  readonly bytes: Uint8Array;
}
interface Chosen {
  readonly encoding?: Encoding;
  readonly separator?: Separator;
  readonly mark?: Mark | null;
  readonly currency?: string;
  readonly columns?: Columns;
}
type Mended = ReadonlyMap<number, Readonly<Partial<Record<Field, string>>>>;
interface Checked {
  /** What was checked; anything else is not. */
  readonly sent: string;
  readonly tried: Tried;
  readonly matched: Matched;
}

const FROM = { to: '/batches', word: 'Batches' };
const TERMS: Terms = { externalId: '', category: 'SALA', account: '', bank: '', booking: '' };

export function NewBatch() {
  const { mode } = useHere();
  const may = useMay();
  const [, navigate] = useLocation();
  const accounts = useRead(['accounts', 'open'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  const found = useRead(
    ['bank_accounts', 'paying'],
    (client) => pageAt<BankAccount>(client, '/v1/bank_accounts', { limit: 100 }),
    { isOff: !may('bank_accounts:read') },
  );
  const banks = payingBanks(found.data?.data ?? []);
  const [file, setFile] = useState<Dropped | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen>({});
  const [mended, setMended] = useState<Mended>(new Map());
  const [decisions, setDecisions] = useState<Decisions>(UNDECIDED);
  const [terms, setTerms] = useState(TERMS);
  const [checked, setChecked] = useState<Checked | null>(null);

  const currencies = [
    ...new Set(accounts.data?.data.filter(({ status }) => status === 'open').map((each) => each.currency)),
  ];
  const currency = chosen.currency ?? (currencies.length === 1 ? (currencies[0] ?? '') : '');
  const given = useMemo(() => {
    if (file === null) return null;
    const text = decoded(file.bytes, chosen.encoding);
    if ('fault' in text) return null;
    const sheet = sheetOf(text.text, chosen.separator);
    const header = sheet.lines[0]?.cells ?? [];
    const columns = chosen.columns ?? columnsOf(sheet.lines, hasHeader(sheet.lines) ? columnsFor(header) : null);
    const lines = sheet.lines.map((line) => {
      const change = mended.get(line.line);
      if (change === undefined) return line;
      const cellAt = (at: number) => {
        const field = columns[at] ?? null;
        return (field === null ? undefined : change[field]) ?? line.cells[at] ?? '';
      };
      return {
        ...line,
        cells: Array.from({ length: Math.max(header.length, line.cells.length) }, (_, at) => cellAt(at)),
      };
    });
    const titles = hasHeader(sheet.lines) ? header : header.map((_, at) => `Column ${at + 1}`);
    return {
      text,
      sheet,
      header,
      titles,
      columns,
      read: rowsOf(lines, { columns, currency, mark: chosen.mark ?? null }),
    };
  }, [file, chosen, mended, currency]);

  const take = async (dropped: File) => {
    const bytes = new Uint8Array(await dropped.arrayBuffer());
    const text = decoded(bytes);
    setFault('fault' in text ? text.fault : null);
    setFile('fault' in text ? null : { name: dropped.name, bytes });
    setChosen({});
    setMended(new Map());
    setDecisions(UNDECIDED);
    setChecked(null);
    setTerms((before) => ({ ...before, externalId: dropped.name.replace(/\.[a-z]{3,4}$/i, '').slice(0, 100) }));
  };

  const rows = given?.read.rows ?? [];
  const body = batchOf(rows, decisions, terms);
  const sent = JSON.stringify(body);
  const check = useWrite(async (client, options) => {
    const tried = await post<Tried>(client, '/v1/payouts/batch', { ...body, mode: 'partial', dry_run: true }, options);
    const matched = await post<Matched>(client, '/v1/recipients/match/batch', { payees: payeesOf(rows, decisions) });
    setChecked({ sent, tried, matched });
    return tried;
  });
  const create = useWrite((client, options, batch: object) =>
    post<PayoutBatchResults>(client, '/v1/payouts/batch', batch, options),
  );

  if (given === null || file === null) {
    return (
      <Page title="New batch" from={FROM}>
        <Drop take={(dropped) => void take(dropped)} fault={fault} />
      </Page>
    );
  }
  const isCurrent = checked?.sent === sent;
  const verdicts = isCurrent ? verdictsOf(rows, decisions, checked.tried, checked.matched) : null;
  const open = openRows(rows, decisions);
  const going = sentRows(rows, decisions).length;
  const unclosed = given.sheet.unclosed;
  const lacksCurrency = needsCurrency(given.columns, currency);
  const why =
    given.read.missing.length > 0 || given.read.question !== null || lacksCurrency
      ? 'Answer the questions above first.'
      : unclosed !== null
        ? `The quote that opens in line ${unclosed} never closes. Mend the file.`
        : going === 0
          ? 'No row is left.'
          : going > MAX_ROWS
            ? `A batch has at most ${countOf(MAX_ROWS)} payouts, and there are ${countOf(going)}. Divide the file.`
            : open.length > 0
              ? `${open.length === 1 ? 'One row is' : `${countOf(open.length)} rows are`} open: mend or leave out.`
              : terms.externalId.trim() === ''
                ? 'Give the batch a name.'
                : may('payouts:write')
                  ? null
                  : 'Your role may not make payouts.';
  const isTaken = faultOf(check.error, 'external_id') !== undefined;
  const startCheck = () => {
    if (given.sheet.lines.length > 0 && hasHeader(given.sheet.lines)) keepColumns(given.header, given.columns);
    void check.run();
  };
  const submit = async () => {
    const made = await create.run(body);
    if (made !== undefined) navigate(`/${mode}/batches/${made.id}`);
  };
  return (
    <Page
      title="New batch"
      from={FROM}
      about={<span className="muted">{`${countOf(rows.length)} rows, ${countOf(going)} go`}</span>}
    >
      <Reading
        name={file.name}
        encoding={given.text.encoding}
        inDoubt={given.text.inDoubt}
        separator={given.sheet.separator}
        mark={chosen.mark ?? null}
        currency={currency}
        currencies={currencies.map((each) => ({ value: each, label: each }))}
        header={given.titles}
        columns={given.columns}
        read={given.read}
        set={(change) => setChosen((before) => ({ ...before, ...change }))}
        another={() => setFile(null)}
      />
      {!lacksCurrency && ( // one question above, and not one a row
        <Rows
          rows={rows}
          decisions={decisions}
          verdicts={verdicts}
          mend={(line, field, value) =>
            setMended((before) => new Map(before).set(line, { ...before.get(line), [field]: value }))
          }
          decide={(change) => setDecisions((before) => ({ ...before, ...change }))}
        />
      )}
      <Card title="The batch">
        <div className="stack">
          <TermsFields
            terms={terms}
            accounts={accounts.data?.data ?? []}
            banks={banks}
            isTaken={isTaken}
            set={(change) => {
              setTerms((before) => ({ ...before, ...change }));
              if (change.externalId !== undefined) check.reset(); // what was refused was under another name
            }}
          />
          {why !== null && <p className="muted">{why}</p>}
          {!isTaken && <Trouble error={check.error} />}
          {isCurrent && why === null ? (
            <Create
              tried={checked.tried}
              accounts={accounts.data?.data ?? []}
              atBanks={leftAtBanks(checked.tried.totals, banks, terms.bank)}
              create={create}
              submit={() => void submit()}
            />
          ) : (
            <div className="buttons">
              <Button disabled={why !== null} loading={check.isBusy} onClick={startCheck}>
                Check {countOf(going)} rows
              </Button>
            </div>
          )}
        </div>
      </Card>
    </Page>
  );
}
