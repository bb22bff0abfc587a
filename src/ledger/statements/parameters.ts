/** What a request for a statement may say, and the period that it means. */
import { dayStartMs, isoDay } from '../../core/values/time.ts';
import { BOM_FIELD, formatIn } from '../../platform/http/request/forms.ts';
import { span } from '../../platform/http/request/instants.ts';
import { optional, paramError, params } from '../../platform/http/request/params.ts';
import { STATEMENT_FORMS } from './schema.ts';

/** `format` and `bom`. */
export const formFields = {
  ...formatIn(
    STATEMENT_FORMS,
    'The format. `camt.053` is ISO 20022 (camt.053.001.08), as banks write statements. `pdf` is for people, with the name and the logo of the settings.',
  ),
  ...BOM_FIELD,
};

export const statementQuery = params(
  {
    ...formFields,
    ...optional({
      from: span({
        description:
          'Where it begins: a day (UTC), an ISO instant or Unix seconds; by default the first day of the month.',
      }),
      to: span({
        description: 'Where it ends, including that day or second; by default the last day of the month of `from`.',
      }),
    }),
  },
  undefined,
  ['parameter_conflict'],
);
/** Milliseconds, the end excluded. Throws `parameter_invalid`. */
export function periodOf(nowMs: number, { from, to }: ReturnType<typeof statementQuery.parse>) {
  const monthMs = from?.startMs ?? to?.startMs ?? nowMs;
  const fromMs = from?.startMs ?? dayStartMs(`${isoDay(monthMs).slice(0, 7)}-01`);
  const month = new Date(monthMs);
  const untilMs = to?.endMs ?? Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1);
  if (fromMs < untilMs) return { fromMs, untilMs };
  throw paramError('parameter_invalid', 'to', 'to must not be before from.');
}
