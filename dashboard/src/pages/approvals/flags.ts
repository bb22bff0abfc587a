/** What the marks of a held payout say to whoever approves it (`expand[]=flags`). A mark that this build does not know is shown by its own words. */
const FLAGS: Readonly<Record<string, string>> = {
  new_recipient: 'New recipient',
  bank_details_changed: 'Bank details changed',
  first_payment: 'First payment',
  first_payment_to_country: 'First payment to this country',
  unusual_amount: 'Unusual amount',
};

/** In the order of the API. Who is paid for the first time in a new country needs not be said twice. */
export function flagsInWords(flags: readonly string[]): readonly string[] {
  const isFirstThere = flags.includes('first_payment_to_country');
  return flags
    .filter((flag) => !(flag === 'first_payment' && isFirstThere))
    .map((flag) => FLAGS[flag] ?? capital(flag.replaceAll('_', ' ')));
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
