/**
 * Forms of an answer: JSON, CSV, XML, a picture. `format=` chooses one; without it `Accept` does, by RFC 9110, section 12.5.1, as
 * `negotiator` reads it. A header that names none of the forms is disregarded, which that section allows: the answer has the first form.
 */
import Negotiator from 'negotiator';
import { RequestError } from '../../../core/values/errors.ts';
import { readQuery } from './body.ts';
import { emptyQueryObject, type Tree } from './param.ts';
import { unknownName } from './named.ts';
import { boolean, oneOf, optional, type Params, params } from './params.ts';

export interface Forms<Name extends string = string> {
  /** The first is the form of an answer that nobody chose. */
  readonly names: readonly Name[];
  /** Media types, in the same order. */
  readonly types: readonly string[];
}

/** By name, such as `csv: 'text/csv'`; the first is the default. */
export const formsOf = <Name extends string>(types: Readonly<Record<Name, string>>): Forms<Name> => ({
  names: Object.keys(types) as Name[],
  types: Object.values(types),
});

/** Longer headers are disregarded: reading 16 kB takes 80 ms, and browsers send 150 characters. */
const MOST_CHARACTERS = 500;
/** `; charset=utf-8` and the like: we have no such choice, and `negotiator` would take it for another type. */
const PARAMETERS = /;\s*(?!q\s*=)[^;,]*/gi;

/** The form that a header asks for. Without a header, and for one with a wildcard alone, nothing is read. */
export function acceptedForm({ names, types }: Forms, accept: string | undefined): string {
  const first = names[0] as string;
  if (accept === undefined || accept === '*/*' || accept === types[0] || accept.length > MOST_CHARACTERS) return first;
  // A browser wants a page, of which there is none; its `application/xml` is for XHTML, not for a file of a bank.
  if (accept.includes('text/html')) return first;
  const header = { accept: accept.replaceAll(PARAMETERS, '') };
  const [type] = new Negotiator({ headers: header }).mediaTypes([...types]);
  return type === undefined ? first : (names[types.indexOf(type)] as string);
}

/** The form of the answer to a call: `format` wins over `Accept`. */
export const formOf = <Name extends string>(call: {
  readonly query: { readonly format?: Name | undefined };
  readonly form?: string | undefined;
}): Name => call.query.format ?? (call.form as Name);

/** `format`, and `bom` where there is CSV among the forms. Neither has a default: without `format`, `Accept` decides. */
export const formatIn = <Name extends string>({ names }: Forms<Name>, description: string) =>
  optional({
    format: oneOf(names, {
      description: `${description} Without it, \`Accept\` decides; \`${names[0]}\` if that names none.`,
    }),
  });
export const BOM_FIELD = optional({
  bom: boolean({ description: 'Only for CSV: begins with the mark by which Excel knows UTF-8.' }),
});

const BOM = '\ufeff';

/** What the text begins with. Throws `parameter_conflict` for a form without such a mark. */
export function bomFor(bom: boolean | undefined, form: string): string {
  if (bom !== true) return '';
  if (form === 'csv') return BOM;
  const message = `bom=true goes with CSV only, and this answer is ${form}. Send format=csv too, or leave bom out.`;
  throw new RequestError('parameter_conflict', message, { param: 'bom' });
}

/** Of every list. */
export const LIST_FORMS = formsOf({ json: 'application/json', csv: 'text/csv' });
/** What every list takes beside its own parameters. */
export const LIST_FORM_PARAMS = params({ ...formatIn(LIST_FORMS, 'JSON or CSV.'), ...BOM_FIELD }, undefined, [
  'parameter_conflict',
]);

/** The form of a list, and whether its query names one. */
export interface ListForm {
  readonly form: string;
  readonly bom?: boolean | undefined;
  readonly isNamed: boolean;
}

const PLAIN_LIST: ListForm = { form: 'json', isNamed: false };
const CSV_LIST: ListForm = { form: 'csv', isNamed: false };
/** A name in a query may be percent-encoded. */
const MAY_NAME_FORM = /format|bom|%/;

/** The query is read only where it may name a form. `mark`: where it begins; -1: there is none. Throws the faults of `format` and `bom`. */
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
  return { form, bom: parsed.bom, isNamed: true };
}

/** The parameters of a query, without those of the form of a list. */
export function queryIn(url: string, list: ListForm | null): Tree {
  const tree = readQuery(url);
  if (list?.isNamed !== true) return tree;
  const { format: _, bom: __, ...rest } = tree as Readonly<Record<string, Tree>>;
  return Object.assign(emptyQueryObject(), rest);
}

/** The parsed query. Of a list, a mistyped `format` is offered too, which the parameters of the list do not know. */
export function parseQuery<T>(query: Params<T>, tree: Tree, isList: boolean): T {
  try {
    return query.parse(tree);
  } catch (thrown) {
    const { param } = thrown instanceof RequestError ? thrown.details : {};
    if (!isList || !(thrown instanceof RequestError) || thrown.code !== 'parameter_unknown') throw thrown;
    if (param === undefined || param.includes('[')) throw thrown;
    const names = [...Object.keys(query.fields), ...Object.keys(LIST_FORM_PARAMS.fields)];
    throw new RequestError(thrown.code, unknownName(param, '', names).message, { ...thrown.details, allowed: names });
  }
}

/** How a list is written as CSV. */
export const csvOrder = ({ bom }: ListForm, url: string) => ({
  isOnePage: 'limit' in (readQuery(url) as object),
  bom: bomFor(bom, 'csv'),
});
