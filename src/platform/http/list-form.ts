/** In which form a list is answered, and which columns it has as CSV. Next: `forms.ts`, `csv.ts`. */
import { snakeCase } from '../../core/fields.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';
import { csvColumns } from './csv.ts';
import { acceptedForm, bomFor, LIST_FORM_PARAMS, LIST_FORMS } from './forms.ts';
import { readQuery } from './request/body.ts';
import { emptyQueryObject, isObject, type Tree } from './request/param.ts';
import type { Past } from './version/versions.ts';

/** The columns of a list as CSV, in the newest version and in older ones. */
export interface Columns {
  of(past: Past | null): readonly string[];
}

export function columnsOf(listed: string, { required = [], properties }: JsonSchema = {}): Columns {
  const newest = csvColumns(required);
  const { const: one, enum: [kind = one] = [] } =
    (properties as Readonly<Record<string, JsonSchema>>)?.['object'] ?? {};
  const object = (kind ?? snakeCase(listed).slice(1)) as string;
  return { of: (past) => (past === null ? newest : past.columns(object, newest)) };
}

export type ListForm = { readonly form: string; readonly bom?: boolean | undefined; readonly named: boolean };
const PLAIN_LIST: ListForm = { form: 'json', named: false };
const CSV_LIST: ListForm = { form: 'csv', named: false };
/** A name in a query may be percent-encoded. */
const MAY_NAME_FORM = /format=|bom=|%/;

/** The form of a list. The query is read only where it may name one. */
export function listForm(url: string, mark: number, accept: string | undefined): ListForm {
  const accepted = acceptedForm(LIST_FORMS, accept) === 'csv' ? CSV_LIST : PLAIN_LIST;
  if (mark === -1 || !MAY_NAME_FORM.test(url)) return accepted;
  const { format, bom } = readQuery(url) as Readonly<Record<string, Tree>>;
  if (format === undefined && bom === undefined) return accepted;
  const own = emptyQueryObject();
  if (format !== undefined) own['format'] = format;
  if (bom !== undefined) own['bom'] = bom;
  const parsed = LIST_FORM_PARAMS.parse(own);
  const form = parsed.format ?? accepted.form;
  bomFor(parsed.bom, form);
  return { form, bom: parsed.bom, named: true };
}

/** The query without what {@link listForm} has read. */
export function withoutForm(tree: Tree, list: ListForm | null): Tree {
  if (list?.named !== true || !isObject(tree)) return tree;
  const { format: _, bom: __, ...rest } = tree;
  return Object.assign(emptyQueryObject(), rest);
}
