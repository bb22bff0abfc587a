/** The parameter that says what a reference is, alike on payouts and standing orders. Check digits: `core/rails/structured-references.ts`. */
import {
  formOf,
  parseReference,
  REFERENCE_TYPES,
  type ReferenceType,
} from '../../../core/rails/structured-references.ts';
import { invalid, paramError, pathOf } from './param.ts';
import { oneOf } from './params.ts';

export const referenceType = oneOf(REFERENCE_TYPES, {
  description:
    '`rf` (ISO 11649), `qrr` (Swiss QR-bill), `bba` (Belgium), `kid` (Norway), `fi` (Finland), `si` (Slovenia): the check digits of `reference` are verified, and it is sent as structured. `text`: it is sent as words. By default it follows from the reference and the recipient’s country; `kid` and `fi` must be said.',
});

export const newReferenceType = {
  ...referenceType,
  description: `Of a new \`reference\`. ${referenceType.description}`,
};

/** What the client says that the reference is; `null`: nothing. Throws `parameter_missing` and `parameter_invalid`. */
export function referenceTypeFrom(
  {
    reference = '',
    reference_type: type,
  }: { readonly reference?: string | undefined; readonly reference_type?: ReferenceType | undefined },
  path: string,
): ReferenceType | null {
  if (type === undefined) return null;
  const at = pathOf(path, 'reference');
  if (reference === '') throw paramError('parameter_missing', at, `reference_type needs ${at}.`);
  if (type === 'text' || parseReference(type, reference) !== null) return type;
  throw invalid(at, reference, `a reference of the type ${type} with right check digits (${formOf(type)})`);
}
