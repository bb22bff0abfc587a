/** The operations of rules for entries that name nothing. Decisions: `rule-decide.ts`; what is meant: `bank-rules.ts`. */
import { Rules } from './bank-rules.ts';
import { wholeListParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { pathId } from '../../platform/http/request/params.ts';
import {
  AMOUNT_ERRORS,
  answers,
  answersList,
  answersOrTries,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { inSlices } from '../../platform/http/slices.ts';
import { readsOfFew, type Service } from '../../platform/http/service.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import type { Seals } from '../../platform/vault/seals.ts';
import type { BankStatementCommand } from './slice.ts';
import { BANK_ENTRY, BANK_RULE, type BankEntry, type BankRule } from './fields.ts';
import type { CreateBankRule } from './rule-decide.ts';
import { createRuleParams, ruleFrom } from './rule-parameters.ts';
import { namedIn } from '../../core/rails/named-references.ts';
import { BANK_ENTRIES, BANK_RULES, loadRulesOf, newestEntries } from './sql.ts';

const route = routesOf('Bank statements', 'bank_entries');

/** Of a trial: entries that are looked at, and those that the answer shows. */
const MOST_EXAMINED = 10_000;
const MOST_SHOWN = 100;
/** Entries that are looked at in one turn of the event loop. */
const SLICE = 20;

const RULE = exampleOf(BANK_RULE, { transaction_code: 'PMNT-CCRD-*', text: '*settlement*' });

export interface RuleParts {
  readonly seals: Seals<BankEntry>;
  readonly ruleSeals: Seals<BankRule>;
}

export function ruleRoutes(service: Service<BankStatementCommand>, parts: RuleParts): Route[] {
  const rules = readsOfFew(
    service,
    'br',
    async ({ environmentId }) =>
      (await service.rows(loadRulesOf([environmentId]))).map((row) => parts.ruleSeals.open(BANK_RULES.read(row))),
    BANK_RULE.render,
  );
  return [
    route('createBankRule', 'POST /v1/bank_rules', {
      summary: 'Make a rule for bank entries',
      description:
        'For future entries that name no payout, payment or account of yours. A rule never overrides a reference, not even a mistyped one. The oldest rule that fits an entry decides. If its target cannot take the money, the entry waits. With `dry_run` the rule is only tried, on the newest entries.',
      body: createRuleParams,
      request: { name: 'Card settlements', transaction_code: 'PMNT-CCRD-*', to: 'fees' },
      response: answersOrTries('BankRule', { ...RULE, to: 'fees', text: null }),
      errors: [
        'bank_rule_count',
        'resource_missing',
        'account_closed',
        'account_currency_mismatch',
        'parameter_missing',
        ...AMOUNT_ERRORS,
      ],
      handle: async (call) => {
        const rule = ruleFrom(call.body);
        const { dry_run: dryRun } = call.body;
        const answer = await service.write(call, { type: 'create_bank_rule', rule }, { dryRun });
        if (dryRun !== true || answer.status !== 200) return answer;
        const { environmentId, livemode } = call.caller;
        const rows = await service.rows(newestEntries(environmentId, MOST_EXAMINED));
        return {
          status: 200,
          body: await trialOf(rule, rows, { open: (stored) => parts.seals.open(stored), livemode }),
        };
      },
    }),
    route('listBankRules', 'GET /v1/bank_rules', {
      summary: 'List rules for bank entries',
      description: 'All rules, oldest first: the first one that fits decides. There are at most 100.',
      query: wholeListParams,
      response: answersList('BankRule', RULE),
      handle: rules.list,
    }),
    route('retrieveBankRule', 'GET /v1/bank_rules/:id', {
      summary: 'Retrieve a rule for bank entries',
      response: answers('BankRule', RULE),
      handle: rules.retrieve,
    }),
    route('deleteBankRule', 'DELETE /v1/bank_rules/:id', {
      summary: 'Delete a rule for bank entries',
      description: 'Entries that it has assigned stay assigned.',
      response: answers('DeletedBankRule', { id: RULE.id, object: 'bank_rule', deleted: true }),
      handle: (call) => service.write(call, { type: 'delete_bank_rule', rule: pathId(call, 'br') }),
    }),
  ];
}

/** In slices: it looks through the texts of thousands of strangers, and the process has others to answer. */
async function trialOf(
  rule: CreateBankRule['rule'],
  rows: readonly Row[],
  { open, livemode }: { open(this: void, stored: BankEntry): BankEntry; readonly livemode: boolean },
): Promise<string> {
  const rules = new Rules([rule]);
  const shown: string[] = [];
  let [meant, free] = [0, 0];
  for await (const row of inSlices(rows, SLICE)) {
    const entry = open(BANK_ENTRIES.read(row));
    if (rules.find({ ...entry, ...entry.explanation }) === undefined) continue;
    meant += 1;
    if (!isFree(entry)) continue;
    free += 1;
    if (shown.length < MOST_SHOWN) shown.push(BANK_ENTRY.render(entry, livemode));
  }
  return `{"object":"bank_rule_trial","dry_run":true,"examined_count":${rows.length},"meant_count":${meant},"would_assign_count":${free},"entries":[${shown.join(',')}]}`;
}

/** Names nothing that a rule must leave alone. */
const isFree = ({ paymentFile, assignments, explanation: { text } }: BankEntry): boolean =>
  paymentFile === null &&
  assignments.every(({ to }) => !/^(?:po|pay|pf)_/.test(to)) &&
  namedIn(text ?? '').length === 0;
