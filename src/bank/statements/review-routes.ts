/** The operations of statements that wait: what waits, and what a person says of it. Decision: `review-decide.ts`; booking: `bank/imports/waiting-statements.ts`. */
import { amountMembers } from '../../core/values/money.ts';
import { RequestError } from '../../core/values/errors.ts';
import { integer, optional, params, pathId, text } from '../../platform/http/request/params.ts';
import { always, answers, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import { assertUnrestricted, missing, type Service } from '../../platform/http/service.ts';
import { Positions } from '../../core/deduplication/positions.ts';
import type { BankLine } from './booking.ts';
import type { BankStatement } from './fields.ts';
import type { WaitingRow } from './waiting.ts';
import { STATEMENT_EXAMPLE, WAITING_EXAMPLE } from './schema.ts';
import type { BankStatementCommand } from './slice.ts';
import { BANK_STATEMENTS } from './sql.ts';

const route = routesOf('Bank statements', 'statement_files');

export interface ReviewParts {
  waitingLines(environmentId: string, statement: string): Promise<readonly WaitingRow[]>;
  /** Books what a person has decided. */
  bookReviewed(call: Call<unknown, unknown>, statement: string): Promise<void>;
}

export function reviewRoutes(service: Service<BankStatementCommand>, parts: ReviewParts): Route[] {
  const find = async ({ environmentId }: Call<unknown, unknown>['caller'], id: string): Promise<BankStatement> => {
    const [row] = await service.rows(BANK_STATEMENTS.load([{ environmentId, id }]));
    if (!row) throw missing('bank statement', id);
    return BANK_STATEMENTS.read(row);
  };
  return [
    route('listWaitingEntries', 'GET /v1/bank_statements/:id/waiting_entries', {
      summary: 'List the entries of a statement that wait',
      description: 'Entries of which it is not certain whether they are new, in the order of the statement.',
      isRepeatable: always,
      query: params({
        ...optional({
          limit: integer({ min: 1, max: 1_000, description: 'Most entries to answer; 100 by default.' }),
          after: integer({ min: 1, max: 999_999_999, description: 'Only entries behind this position.' }),
        }),
      }),
      response: answers('WaitingEntries', { data: [WAITING_EXAMPLE], has_more: false }),
      handle: async (call) => {
        assertUnrestricted(call.caller, 'a bank statement is about all of them');
        const statement = await find(call.caller, pathId(call, 'bs'));
        const { limit = 100, after = 0 } = call.query;
        const isWaiting = statement.waitingCount > 0;
        const rows = isWaiting ? await parts.waitingLines(call.caller.environmentId, statement.id) : [];
        const lines = rows.flatMap((row) => row.lines).filter(({ position }) => position > after);
        const data = lines.slice(0, limit).map((line) => entryJson(line, statement));
        return { status: 200, body: `{"data":[${data.join(',')}],"has_more":${lines.length > limit}}` };
      },
    }),
    route('reviewBankStatement', 'POST /v1/bank_statements/:id/review', {
      summary: 'Say which entries of a statement are new',
      description:
        'For a statement in `needs_review`. New entries are booked, the others are taken for entries that the ledger has. It answers the statement before they are booked.',
      body: params(
        {
          reason: text({
            max: 200,
            description: 'The reason, which is kept in the audit log.',
            example: 'Looked at both',
          }),
          ...optional({
            reading: integer({ min: 1, max: 5, description: 'The number of a way in `readings`, from 1.' }),
            new_entries: text({
              kind: 'code',
              max: 20_000,
              pattern: /^(none|[0-9]{1,9}(-[0-9]{1,9})?(,[0-9]{1,9}(-[0-9]{1,9})?)*)$/,
              shape: 'positions in rising order, as 1-3,7, or none',
              description: 'Instead of `reading`: the positions of its new entries, as `1-3,7`, or `none`.',
            }),
          }),
        },
        ({ reading, new_entries: entries }) => {
          if ((reading === undefined) !== (entries === undefined)) return;
          const code = reading === undefined ? 'parameter_missing' : 'parameter_conflict';
          throw new RequestError(code, 'Send one of reading and new_entries.', { param: 'new_entries' });
        },
        ['parameter_conflict'],
      ),
      request: { reading: 1, reason: 'Looked at both' },
      response: answers('BankStatement', { ...STATEMENT_EXAMPLE, status: 'importing' }),
      errors: [
        'resource_missing',
        'bank_statement_reviewed',
        'bank_account_closed',
        'account_not_allowed',
        'parameter_invalid',
      ],
      handle: async (call) => {
        assertUnrestricted(call.caller, 'a bank statement is about all of them');
        const id = pathId(call, 'bs');
        const statement = await find(call.caller, id);
        const { bankAccount } = statement;
        const rows = await parts.waitingLines(call.caller.environmentId, id);
        const waiting = new Set(rows.flatMap((row) => row.lines.map(({ position }) => position)));
        const added = chosen(statement, waiting, call.body);
        const command = { statement: id, bankAccount, added, certain: null, reason: call.body.reason } as const;
        const answer = await service.write(call, { type: 'review_bank_statement', ...command });
        if (answer.status === 200) await parts.bookReviewed(call, id);
        return answer;
      },
    }),
  ];
}

/** The positions that a person names. A statement that waits no more is refused by the decision. */
function chosen(
  { status, readings }: BankStatement,
  waiting: ReadonlySet<number>,
  {
    reading,
    new_entries: entries,
  }: Readonly<Partial<Record<'new_entries', string | undefined>>> & { readonly reading?: number | undefined },
): string {
  if (status !== 'needs_review') return '';
  if (reading !== undefined) {
    const found = readings[reading - 1];
    if (found) return found.entries;
    const message = `reading is ${reading}, and the statement has ${readings.length}. Send new_entries instead.`;
    throw new RequestError('parameter_invalid', message, { param: 'reading' });
  }
  const positions = Positions.read(entries === 'none' ? '' : (entries ?? ''));
  const found = [...waiting].filter((each) => positions?.has(each) === true);
  if (positions !== null && found.length === positions.count) return positions.text;
  const message = `new_entries are positions of entries that wait, in rising order: ${Positions.of([...waiting].sort((one, other) => one - other)).text}.`;
  throw new RequestError('parameter_invalid', message, { param: 'new_entries' });
}

function entryJson(line: BankLine, { currency, readings }: BankStatement): string {
  const { position, direction, amount, bookedOn, valueOn, explanation: said } = line;
  const isIn = readings.map(({ entries }) => Positions.read(entries)?.has(position) === true);
  const rest = {
    currency,
    booked_on: bookedOn,
    value_on: valueOn,
    counterparty: { name: said.name, account_last4: said.account?.slice(-4) ?? null },
    text: said.text,
    end_to_end_id: said.endToEndId,
    bank_reference: said.bankReference,
    new_in: isIn.flatMap((isNew, at) => (isNew ? [at + 1] : [])),
  };
  return `{"position":${position},"direction":"${direction}",${amountMembers(amount, currency)},${JSON.stringify(rest).slice(1)}`;
}
