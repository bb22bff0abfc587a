/** What payments are for, in codes of ISO 20022: the category, by which banks process a payment, and the purpose, which its payee sees. */

/**
 * `ExternalCategoryPurpose1Code`: 46 codes, from a public copy of the external code sets of ISO 20022 that was not compared with ISO's own
 * list. The hundreds of purposes (`ExternalPurpose1Code`) change each quarter, and no bank processes by them: of those only the form is checked.
 */
// biome-ignore format: a list of codes reads best in a few lines.
export const CATEGORY_PURPOSES = [
  'BONU', 'CASH', 'CBLK', 'CCRD', 'CGWV', 'CIPC', 'CONC', 'CORT', 'CTDF', 'DCRD', 'DIVI', 'DVPM', 'EPAY', 'FCDT',
  'FCIN', 'FCOL', 'GOVT', 'GP2P', 'HEDG', 'ICCP', 'IDCP', 'INTC', 'INTE', 'LBOX', 'LOAN', 'MP2B', 'MP2P', 'OTHR',
  'PENS', 'RPRE', 'RRCT', 'RVPM', 'SALA', 'SAVG', 'SECU', 'SSBE', 'SUPP', 'SWEP', 'TAXS', 'TOPG', 'TRAD', 'TREA',
  'VATX', 'VOST', 'WHLD', 'ZABA',
] as const;
export type CategoryPurpose = (typeof CATEGORY_PURPOSES)[number];

/**
 * Pay of persons, which not everybody who sees a statement or a payout may see: bonus, pension and salary, those of the list that pay persons
 * for their work. Benefits of a state (`SSBE`, `GOVT`) are none (decision 0090).
 */
export const PAYROLL_CATEGORIES = ['BONU', 'PENS', 'SALA'] as const satisfies readonly CategoryPurpose[];
const PAYROLL: ReadonlySet<string | null> = new Set(PAYROLL_CATEGORIES);
export const isPayroll = (category: string | null): boolean => PAYROLL.has(category);

/** Whether the bank is asked to book payments as one entry. `asked`: of their batch; `null`: it says nothing. */
export const isBookedAsOne = (asked: boolean | null, category: CategoryPurpose | null): boolean =>
  asked ?? isPayroll(category);
