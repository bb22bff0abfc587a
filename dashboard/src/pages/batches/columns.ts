/**
 * What the columns of a file are: by their names in the languages of Europe's payrolls, else by what stands in them. What a person chose for a
 * file is kept for files with the same header. Pure. Next: `rows.ts`.
 */
import { isIbanShaped } from './iban.ts';
import type { Line } from './cells.ts';

export const FIELDS = ['name', 'iban', 'bic', 'amount', 'currency', 'reference', 'email', 'external_id'] as const;
export type Field = (typeof FIELDS)[number];
export const NEEDED: readonly Field[] = ['name', 'iban', 'amount'];

export const FIELD_WORDS: Readonly<Record<Field, string>> = {
  name: 'Name',
  iban: 'IBAN',
  bic: 'BIC',
  amount: 'Amount',
  currency: 'Currency',
  reference: 'Reference',
  email: 'E-mail',
  external_id: 'Your own id',
};

/** By column, its field; `null`: it is not sent. */
export type Columns = readonly (Field | null)[];

/** Whether one currency for all rows is asked for: a file with a column of currencies says it row by row. */
export const needsCurrency = (columns: Columns, chosen: string): boolean =>
  chosen === '' && !columns.includes('currency');

/** Names without case, accents and what is no letter: English, German, French, Spanish, Italian, Dutch, Portuguese, Polish. */
const NAMES: Readonly<Record<Field, string>> = {
  name: 'name|fullname|employee|employeename|payee|payeename|beneficiary|beneficiaryname|recipient|recipientname|accountholder|holder|empfanger|empfangername|nameempfanger|begunstigter|zahlungsempfanger|kontoinhaber|mitarbeiter|nachname|nom|nomcomplet|nombeneficiaire|beneficiaire|titulaire|salarie|employe|nombre|nombreyapellidos|beneficiario|titular|empleado|destinatario|nome|nomecognome|nominativo|intestatario|dipendente|naam|begunstigde|rekeninghouder|nazwa|imieinazwisko|odbiorca',
  iban: 'iban|ibannumber|ibannr|ibannummer|accountiban|account|accountnumber|bankaccount|konto|kontonummer|bankverbindung|compte|comptebancaire|numerodecompte|cuenta|numerodecuenta|cuentabancaria|conto|contocorrente|coordinatebancarie|rekening|rekeningnummer|conta|rachunek|numerrachunku',
  bic: 'bic|swift|bicswift|swiftbic|biccode|swiftcode|codebic|codigobic|codicebic|codiceswift',
  amount:
    'amount|netamount|netpay|net|salary|netsalary|total|sum|value|pay|payment|betrag|nettobetrag|netto|nettolohn|nettogehalt|auszahlung|auszahlungsbetrag|zahlbetrag|summe|gehalt|lohn|montant|montantnet|netapayer|salaire|salairenet|somme|importe|importeneto|neto|liquido|cantidad|monto|sueldo|salario|importo|importonetto|stipendio|bedrag|nettoloon|valor|kwota',
  currency: 'currency|ccy|currencycode|wahrung|devise|monnaie|moneda|divisa|valuta|moeda|waluta',
  reference:
    'reference|ref|text|description|details|message|remittance|remittanceinformation|paymentreference|purpose|verwendungszweck|zweck|buchungstext|referenz|libelle|motif|objet|communication|concepto|referencia|descripcion|asunto|causale|riferimento|descrizione|omschrijving|kenmerk|mededeling|descricao|tytul|tytulprzelewu',
  email: 'email|mail|emailaddress|emailadresse|courriel|adresseemail|correo|correoelectronico|posta|postaelettronica',
  external_id:
    'externalid|id|number|employeeid|employeenumber|staffnumber|personalnummer|personalnr|mitarbeiternummer|matricule|numero|numeroempleado|matricola|personeelsnummer|invoice|invoicenumber',
};
const BY_NAME = new Map(FIELDS.flatMap((field) => NAMES[field].split('|').map((name) => [name, field] as const)));

/** `Zahlungs-Empfänger (Name)` → `zahlungsempfangername`. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll(/[^a-z]/g, '');

/** Under which the choice of columns for a header is kept. */
export const headerKey = (header: readonly string[]): string =>
  header.map((name) => name.trim().toLowerCase()).join('\u001f');

/** A file without names of columns: a bank account stands in its first line. */
export const hasHeader = ([first]: readonly Line[]): boolean => !(first?.cells ?? []).some(isIbanShaped);

/** Each field at most once, and the first column that may be it has it. What is not recognised is not sent. */
export function columnsOf(lines: readonly Line[], kept: Columns | null = null): Columns {
  const isNamed = hasHeader(lines);
  const width = Math.max(0, ...lines.slice(0, 50).map(({ cells }) => cells.length));
  if (kept !== null && kept.length === (lines[0]?.cells.length ?? 0)) return kept;
  const taken = new Set<Field>();
  const take = (field: Field | undefined) => {
    if (field === undefined || taken.has(field)) return null;
    taken.add(field);
    return field;
  };
  const rows = isNamed ? lines.slice(1) : lines;
  const named = Array.from({ length: width }, (_, at) =>
    take(isNamed ? fieldNamed(lines[0]?.cells[at] ?? '') : undefined),
  );
  return named.map(
    (field, at) =>
      field ??
      take(
        fieldIn(
          rows.map(({ cells }) => cells[at] ?? ''),
          isNamed,
        ),
      ),
  );
}

function fieldNamed(name: string): Field | undefined {
  const [whole, first] = [plain(name), plain(name.split(/[(/,:]/)[0] ?? '')];
  return BY_NAME.get(whole) ?? BY_NAME.get(first) ?? BY_NAME.get(first.replace(/(?:eur|euro|chf|gbp|usd)$/, ''));
}

/** By what stands in it: only what cannot be anything else. A name or a text is guessed only where no column has a name. */
function fieldIn(cells: readonly string[], isNamed: boolean): Field | undefined {
  const said = cells.filter((cell) => cell !== '');
  if (said.length === 0) return undefined;
  const most = (is: (cell: string) => boolean) => said.filter(is).length * 2 > said.length;
  if (most(isIbanShaped)) return 'iban';
  if (isNamed) return undefined;
  if (most((cell) => /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(cell))) return 'bic';
  if (most((cell) => /^[A-Z]{3}$/.test(cell))) return 'currency';
  if (most((cell) => /^\S+@\S+\.\S+$/.test(cell))) return 'email';
  if (most((cell) => /^[\d.,'’\s\u00a0\u202f]+$/.test(cell) && /[.,]\d{2}$/.test(cell))) return 'amount';
  if (most((cell) => /^\p{L}[\p{L}.'’-]*(?:\s+\p{L}[\p{L}.'’-]*)+$/u.test(cell))) return 'name';
  return undefined;
}
