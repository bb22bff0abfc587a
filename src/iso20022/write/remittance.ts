/** What a payment file tells the payee (`RmtInf`): a structured reference as its market writes it, or words. Next: `pain001.ts`. */
import { parseReference, type ReferenceType, referenceTypeOf } from '../../core/rails/structured-references.ts';
import type { Payment } from './initiation.ts';
import { isSepa, type Route } from './routes.ts';
import { type Charset, escapeXml, writableText } from './text.ts';

const MAX_TEXT = 140;

export function remittanceOf({ reference, referenceType, creditor }: Payment, route: Route, charset: Charset): string {
  if (reference === null) return '';
  const type = referenceType ?? referenceTypeOf(reference, creditor.country);
  const structured = type === 'text' ? null : parseReference(type, reference);
  if (structured !== null) {
    const kind = `<Tp><CdOrPrtry>${kindOf(type)}</CdOrPrtry>${issuerOf(type, route)}</Tp>`;
    return `<RmtInf><Strd><CdtrRefInf>${kind}<Ref>${structured}</Ref></CdtrRefInf></Strd></RmtInf>`;
  }
  const text = writableText(reference, charset, MAX_TEXT);
  return text === null ? '' : `<RmtInf><Ustrd>${escapeXml(text)}</Ustrd></RmtInf>`;
}

/** SEPA takes no other code than SCOR, which national references have too (EPC132-08, `CdtrRefInf`). */
const kindOf = (type: ReferenceType): string => (type === 'qrr' ? '<Prtry>QRR</Prtry>' : '<Cd>SCOR</Cd>');

/** Belgian banks know theirs by BBA (Febelfin, AOS1); SEPA wants ISO with an RF reference (GBIC_4, `Issr`). */
function issuerOf(type: ReferenceType, route: Route): string {
  if (type === 'bba') return '<Issr>BBA</Issr>';
  return type === 'rf' && isSepa(route) ? '<Issr>ISO</Issr>' : '';
}
