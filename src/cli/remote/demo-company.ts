/**
 * The company of `bursar demo`: a small maker of optical instruments, whom it pays and who pays it. Nobody in it exists, and no account
 * either, but for the test accounts of the sandbox (docs/sandbox.md), which decide how a payout ends. What happens to it: `demo-story.ts`.
 */

export const COMPANY = 'Kestrel Optics GmbH';

export const BANK = {
  name: 'Nordbank',
  currency: 'EUR',
  country: 'DE',
  holder: COMPANY,
  bank_details: { iban: 'DE02600501010002034304' },
  cut_off: '14:30',
  time_zone: 'Europe/Berlin',
} as const;

type Amount = `${number}`;

export interface Payee {
  readonly name: string;
  readonly type: 'individual' | 'company';
  readonly currency: 'EUR' | 'GBP' | 'USD';
  readonly country: string;
  readonly bank_details: Readonly<Record<string, string>>;
}

const person = (name: string, iban: string): Payee => ({ ...firm(name, iban), type: 'individual' });
const firm = (name: string, iban: string): Payee => ({
  name,
  type: 'company',
  currency: 'EUR',
  country: iban.slice(0, 2),
  bank_details: { iban },
});

/** Who works there, and for how much a month. */
export const STAFF: readonly { readonly payee: Payee; readonly salary: Amount }[] = [
  { payee: person('Marta Lindqvist', 'DE41100500000144649790'), salary: '3450.00' },
  { payee: person('Jonas Weber', 'DE61120300000192863747'), salary: '3120.50' },
  { payee: person('Aylin Demir', 'DE71200505500241077704'), salary: '3890.00' },
  { payee: person('Tomasz Zieliński', 'DE89300209000289291661'), salary: '2980.00' },
  { payee: person('Chiara Conti', 'DE93370400440337505618'), salary: '3305.75' },
  { payee: person('Samuel Okafor', 'DE16430609670385719575'), salary: '4210.00' },
  { payee: person('Hanne Sørensen', 'DE94500105170433933532'), salary: '2875.40' },
  { payee: person('Nguyễn Minh Anh', 'DE92701500000482147489'), salary: '3540.00' },
  { payee: person('Luise Hartmann', 'DE34760260000530361446'), salary: '5120.00' },
];

/** In their turn two are paid each week. */
export const SUPPLIERS = [
  firm('Feil Glaswerke GmbH', 'DE96100100100578575403'),
  firm('Nordlicht Verpackung GmbH', 'DE57100500000626789360'),
  firm('Van Dijk Precisie B.V.', 'NL91ABNA0417164300'),
  firm('Blitzkurier Berlin GmbH', 'DE77120300000675003317'),
  firm('Hofer Feinmechanik KG', 'AT611904300234573201'),
  firm('Studio Ahrens GbR', 'DE87200505500723217274'),
  firm('Atelier Lumière SARL', 'FR1420041010050500013M02606'),
  firm('Stadtwerke Tempelhof', 'DE08300209000771431231'),
] as const;

/** A supplier whose first account does not work, and the account that it names then. */
export interface Moving {
  readonly payee: Payee;
  readonly amount: Amount;
  readonly invoice: string;
  readonly iban: string;
}
export const REJECTED: Moving = {
  payee: firm('Kraus Messtechnik GmbH', 'DE35370400440532013002'),
  amount: '1864.30',
  invoice: 'KM-2291',
  iban: 'DE12370400440819645188',
};
export const SENT_BACK: Moving = {
  payee: firm('Bergmann Schleifmittel OHG', 'DE70370400440532013051'),
  amount: '742.15',
  invoice: 'BS 10/318',
  iban: 'DE32430609670867859145',
};

export const LANDLORD = firm('Hausverwaltung Sonnenallee GmbH', 'DE13500105170916073102');
export const NEWCOMER = firm('Altmann Feinwerk GmbH', 'DE11701500000964287059');
export const WORKSHOP_GUEST: Payee = {
  name: 'Eleanor Whitcombe',
  type: 'individual',
  currency: 'GBP',
  country: 'GB',
  bank_details: { account_number: '31926819', sort_code: '601613' },
};

interface Service {
  readonly payee: Payee;
  readonly amount: Amount;
  readonly why: string;
}
/** Paid every fourth week, with money that was exchanged for it. */
export const ABROAD: readonly [Service, Service] = [
  {
    payee: {
      name: 'Okonkwo Consulting Ltd',
      type: 'company',
      currency: 'GBP',
      country: 'GB',
      bank_details: { account_number: '00012345', sort_code: '108800' },
    },
    amount: '2400.00',
    why: 'Lens design',
  },
  {
    payee: {
      name: 'Prism Cloud Inc',
      type: 'company',
      currency: 'USD',
      country: 'US',
      bank_details: { account_number: '000123456789', routing_number: '110000000' },
    },
    amount: '780.00',
    why: 'Hosting',
  },
];

export interface Customer {
  readonly name: string;
  readonly iban: string;
  readonly buys: string;
}

/** In their turn each is sent an invoice. */
export const CUSTOMERS: readonly Customer[] = [
  { name: 'Sternwarte Potsdam e.V.', iban: 'DE50760260001012501016', buys: 'Refractor, 120 mm' },
  { name: 'Optik Brandt GmbH', iban: 'DE15100100101060714973', buys: 'Eyepieces, 40 pieces' },
  { name: 'Institut für Photonik', iban: 'DE73100500001108928930', buys: 'Beam splitters' },
  { name: 'Museum der Technik', iban: 'DE93120300001157142887', buys: 'Restoration of a theodolite' },
  { name: 'Alpenblick Ferngläser OG', iban: 'AT483200000012345864', buys: 'Prisms, second series' },
];
